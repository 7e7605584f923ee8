import { readFileSync } from "node:fs"

/** The version of this package. `package.json` is in the parent directory of both `src` and `dist`. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const found = typeof manifest === "object" && manifest !== null && "version" in manifest
    ? manifest.version
    : undefined
  return String(found)
}
