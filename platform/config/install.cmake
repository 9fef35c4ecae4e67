# SPDX-License-Identifier: Apache-2.0
# The models as a library for programs of others: `cmake --install build/release --prefix PREFIX`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Highest first, as a linker wants them.
set(LONGHAUL_INSTALLED cosim observe booster host toe tcp congestion wan nic hostbus pcix cpu memory net common)
foreach(name ${LONGHAUL_INSTALLED})
  set_target_properties(longhaul_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS longhaul_${name} EXPORT LonghaulTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/longhaul FILES_MATCHING PATTERN "*.h")
install(DIRECTORY platform/cosim platform/observe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/longhaul/platform
        FILES_MATCHING PATTERN "*.h")
install(TARGETS fst EXPORT LonghaulTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(longhaul_options PROPERTIES EXPORT_NAME options)
install(TARGETS longhaul_options EXPORT LonghaulTargets)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Longhaul)
install(EXPORT LonghaulTargets NAMESPACE longhaul:: DESTINATION ${package})
write_basic_package_version_file(LonghaulConfigVersion.cmake VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES platform/config/LonghaulConfig.cmake platform/config/builtin_types.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/LonghaulConfigVersion.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/LonghaulInterface.cmake
        DESTINATION ${package})

list(TRANSFORM LONGHAUL_INSTALLED PREPEND "-llonghaul_" OUTPUT_VARIABLE archives)
list(JOIN archives " " LONGHAUL_LINK)
configure_file(platform/config/longhaul.pc.in longhaul.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/longhaul.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Who links the library would optimise all of it across sources at each link, for most of a minute.
# Nor can another version of the compiler read what that is done with.
if(LONGHAUL_ACROSS_SOURCES AND CMAKE_OBJCOPY)
  foreach(name ${LONGHAUL_INSTALLED})
    install(CODE "execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --preserve-dates
      --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_v1
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/liblonghaul_${name}.a\"
      COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()
