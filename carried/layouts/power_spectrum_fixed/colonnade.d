/work/main/carried/layouts/power_spectrum_fixed/power_spectrum.bulk.hpp /work/main/carried/layouts/power_spectrum_fixed/power_spectrum.bulk.cpp /work/main/carried/layouts/power_spectrum_fixed/power_spectrum.bulk.cu /work/main/carried/layouts/power_spectrum_fixed/power_spectrum.bulk.json: \
  /work/main/examples/spectrogram/power_spectrum.cpp \
  /work/main/include/colonnade/annotate.h
