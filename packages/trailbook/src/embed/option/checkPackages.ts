import { requires } from "@trailbook/runtime/MissingPackage"
import { isPostgres } from "./parseDatabase.ts"
import type { Configuration } from "./parseOptions.ts"

/**
 * Rejects if an option requires an optional package that is not installed. Without this check, nothing would fail until
 * the first call. The check loads a small module of each required package.
 */
export const checkPackages = async ({ database, http, replies }: Configuration): Promise<void> => {
  if (!isPostgres(database)) {
    await import("@trailbook/sqlite/batchOptions").catch(requires("database: SQLite", "@trailbook/sqlite"))
  }
  if (http.surfaces?.includes("mcp")) {
    await import("@trailbook/mcp/ToolFilter").catch(requires("http.surfaces: mcp", "@trailbook/mcp"))
  }
  if (replies !== undefined) {
    await import("@trailbook/mail/smtpUrl").catch(requires("replies", "@trailbook/mail"))
  }
}
