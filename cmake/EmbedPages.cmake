# cmake -DPAGES=a.md;b.md -DOUTPUT=pages.inc -P EmbedPages.cmake
#   Writes one line {"stem", R"page(text)page"}, per page.
set(text "")
foreach(page IN LISTS PAGES)
  get_filename_component(stem "${page}" NAME_WE)
  file(READ "${page}" content)
  string(APPEND text "{\"${stem}\", R\"page(${content})page\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
