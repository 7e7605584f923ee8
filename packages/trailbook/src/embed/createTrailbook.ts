/**
 * The embedding API, which consists of plain promises and plain types. A test verifies that its declarations do not
 * mention Effect or other internal libraries.
 */
import { throwMissingPackage } from "@trailbook/runtime/MissingPackage"
import { Hooks } from "./hook/Hooks.ts"
import { type EffectRunner, Lifecycle } from "./Lifecycle.ts"
import { makeAccounts } from "./makeAccounts.ts"
import { makeHandler } from "./makeHandler.ts"
import { makeOutfitter } from "./makeOutfitter.ts"
import { makeWorker } from "./makeWorker.ts"
import { migrateDatabase } from "./openDatabase.ts"
import { isPostgres, type ParsedOptions, parseOptions } from "./option/parseOptions.ts"
import type { OrgDetails, TrailbookOptions } from "./option/TrailbookOptions.ts"
import type { Outfitter } from "./Outfitter.ts"
import { ensureOrg, requireOnlyOrg, resolveOrg } from "./resolveOrg.ts"
import type { Trailbook } from "./Trailbook.ts"

/**
 * Creates a Trailbook instance on a database. The function reads no environment variables, installs no signal handlers,
 * and keeps no global state. The first call that needs the database opens it. If the `org` option is set, that
 * outfitter's operations are methods of the result.
 *
 * Rejects with a `TypeError` if an option is invalid. If an option requires a package that is not installed, rejects
 * with an error that names the package.
 *
 * @example
 * const trailbook = await createTrailbook({
 *   database: "sqlite:bookings.sqlite",
 *   org: { name: "Salida River Co.", timezone: "America/Denver" }
 * })
 * const raft = await trailbook.offerings.create({ name: "Half-day rafting", kind: "class", capacity: 12 })
 */
export const createTrailbook: CreateTrailbook = async (options: TrailbookOptions): Promise<Trailbook & Outfitter> => {
  const configuration = parseOptions(options)
  await checkPackages(configuration)
  const lifecycle = new Lifecycle(configuration)
  const idBySlug = new Map<string, string>()
  // Orgs are never deleted and slugs never change, so the lookup is cached.
  const findId = async (slugOrId: string, call: EffectRunner): Promise<string> => {
    const id = idBySlug.get(slugOrId) ?? (await call.run(resolveOrg(slugOrId))).id
    idBySlug.set(slugOrId, id)
    return id
  }
  const findOwnId = makeFindOwnId(configuration, findId)
  const findOrgId = (slugOrId: string | undefined, call: EffectRunner) =>
    slugOrId === undefined ? findOwnId(call) : findId(slugOrId, call)
  const hooks = new Hooks(
    lifecycle.ended,
    configuration.org === undefined ? undefined : () => findOwnId(lifecycle.inside)
  )
  return {
    ...makeOutfitter(lifecycle, findOwnId, hooks.of(undefined)),
    ...makeAccounts(lifecycle, findOrgId, configuration.links.staff),
    forOrg: async (slugOrId) => {
      const id = await lifecycle.runCall((call) => findId(slugOrId, call))
      return makeOutfitter(lifecycle, async () => id, hooks.of(id))
    },
    handler: makeHandler(lifecycle, findOrgId, configuration),
    worker: makeWorker(lifecycle, configuration, hooks),
    migrate: () => lifecycle.runCall(() => migrateDatabase(configuration)),
    close: () => lifecycle.close()
  }
}

export interface CreateTrailbook {
  (options: TrailbookOptions & { readonly org: string | OrgDetails }): Promise<Trailbook & Outfitter>
  (options: TrailbookOptions): Promise<Trailbook>
}

const makeFindOwnId = (
  { org }: ParsedOptions,
  findId: (slugOrId: string, call: EffectRunner) => Promise<string>
): (call: EffectRunner) => Promise<string> => {
  let cachedId: string | undefined
  return async (call) => {
    if (cachedId !== undefined) return cachedId
    if (org === undefined) throw new TypeError("org: is required because no default outfitter is configured")
    cachedId = typeof org === "string"
      ? await findId(org, call)
      : (await (call.isDurable ? call.run(ensureOrg(org)) : call.run(requireOnlyOrg))).id
    return cachedId
  }
}

/**
 * Rejects if an option requires an optional package that is not installed. Without this check, nothing would fail until
 * the first call. The check loads a small module of each required package.
 */
const checkPackages = async ({ database, http, replies }: ParsedOptions): Promise<void> => {
  if (!isPostgres(database)) {
    await import("@trailbook/sqlite/batchOptions").catch(throwMissingPackage("database: SQLite", "@trailbook/sqlite"))
  }
  if (http.surfaces?.includes("mcp")) {
    await import("@trailbook/mcp/ToolFilter").catch(throwMissingPackage("http.surfaces: mcp", "@trailbook/mcp"))
  }
  if (replies !== undefined) {
    await import("@trailbook/mail/parseSmtpUrl").catch(throwMissingPackage("replies", "@trailbook/mail"))
  }
}
