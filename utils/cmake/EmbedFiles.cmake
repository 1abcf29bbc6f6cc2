# cmake -P: writes OUTPUT, a C++ source with the text of every file of INPUTS
# (separated by commas) as heddle::embeddedFiles(), named relative to ROOT.

string(REPLACE "," ";" files "${INPUTS}")
set(text "#include \"EmbeddedFiles.h\"\n\nnamespace heddle {\n\n")
string(APPEND text "llvm::ArrayRef<EmbeddedFile> embeddedFiles() {\n")
string(APPEND text "  static const EmbeddedFile Files[] = {\n")
foreach(file IN LISTS files)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  file(READ "${file}" content)
  string(APPEND text "{\"${name}\", R\"__heddle(${content})__heddle\"},\n")
endforeach()
string(APPEND text "  };\n  return Files;\n}\n\n} // namespace heddle\n")
file(WRITE "${OUTPUT}" "${text}")
