import { createRequire } from "node:module"

/** Returns Trailbook's version. Finds this package by name, because the path differs in a bundle. */
export const readVersion = (): string => {
  const manifest: unknown = createRequire(import.meta.url)("@trailbook/runtime/package.json")
  const value = typeof manifest === "object" && manifest !== null && "version" in manifest
    ? manifest.version
    : undefined
  return String(value)
}
