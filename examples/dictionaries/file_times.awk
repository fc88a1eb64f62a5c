# What file_times prints, by looking at every file:
#   awk -v window=SECONDS -v batch=FILES -f file_times.awk FILE
{ time[NR] = $1; bytes[NR] = $2 }
END {
  first = 1
  for (number = 1; (number - 1) * batch < NR; ++number) {
    end = number * batch < NR ? number * batch : NR
    newest = time[end]
    while (first <= end && time[first] <= newest - window) ++first
    recent = 0
    for (i = first; i <= end; ++i) recent += time[i] > newest - int(window / 10)
    printf "batch %d newest %.0f files %d expired %d recent %d\n", number, newest,
           end - first + 1, first - 1, recent
  }
  for (part = 0; part < 12; ++part) {
    from = newest - window + int(window * part / 12) + 1
    to = newest - window + int(window * (part + 1) / 12)
    files = sum = 0
    for (i = first; i <= NR; ++i)
      if (from <= time[i] && time[i] <= to) { ++files; sum += bytes[i] }
    printf "from %.0f to %.0f files %d bytes %.0f\n", from, to, files, sum
  }
}
