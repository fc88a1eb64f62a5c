# What files are called where the tool cannot say it: as `colonnade stems` does.
include("${FILE}")
colonnade_size_suffixes(suffixes n=8,-3 k=2 m.n=4,5)
string(JOIN " " text ${suffixes})
message("${text}")
colonnade_size_suffixes(suffixes n=-3..-1,1..32 m=4..5)
string(JOIN " " text ${suffixes})
message("${text}")
