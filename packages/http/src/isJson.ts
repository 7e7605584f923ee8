/** Whether a `Content-Type` is JSON in UTF-8, regardless of case and parameters. */
export const isJson = (contentType: string | null): boolean => {
  if (contentType === "application/json") return true
  const [type, ...parameters] = (contentType ?? "").toLowerCase().split(";").map((part) => part.trim())
  return type === "application/json" &&
    parameters.every((parameter) => !parameter.startsWith("charset=") || utf8.has(parameter.slice("charset=".length)))
}

const utf8 = new Set(["utf-8", "\"utf-8\"", "utf8"])
