# CUDA as C++20, behind enable_language(CUDA): the headers need it, and CMake before 3.25.2, Debian
# 12's, does not know nvcc's option for it and leaves it away without a word.
set(CMAKE_CUDA_STANDARD 20)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
