/**
 * Why the driver itself does not work, if that is what a thrown value says: its
 * binary was never built, as where npm may run no install scripts, or was built
 * for another Node or machine. `undefined` for all that has to do with a file.
 */
export const explainDriverError = (thrown: unknown): string | undefined => {
  if (!(thrown instanceof Error)) return undefined
  // The message goes on with every path that was tried.
  if (thrown.message.startsWith("Could not locate the bindings file")) return "it was installed without its binary"
  const code = "code" in thrown ? thrown.code : undefined
  return code === "ERR_DLOPEN_FAILED" ? "its binary is for another version of Node, or another machine" : undefined
}
