/**
 * Explains why the driver does not work: its binary was not built, for example because npm may not run install
 * scripts, or it was built for another Node.js version or machine. Returns undefined for errors about a file.
 */
export const explainDriverError = (thrown: unknown): string | undefined => {
  if (!(thrown instanceof Error)) return undefined
  // The rest of the message lists all searched paths.
  if (thrown.message.startsWith("Could not locate the bindings file")) return "its native binary is not installed"
  const code = "code" in thrown ? thrown.code : undefined
  return code === "ERR_DLOPEN_FAILED" ? "its native binary was built for another Node version or platform" : undefined
}
