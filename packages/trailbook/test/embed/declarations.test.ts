/** Tests that the public declarations do not reference internal libraries. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, expect, it } from "vitest"
import { folder } from "../../../cli/test/program.ts"

const root = join(import.meta.dirname, "../../../..")
const packages = join(root, "packages")

/**
 * Returns the built declaration files of an entry point and its imports, and the external modules that they reference.
 */
const collectImports = (
  entry: string
): { readonly files: ReadonlySet<string>; readonly foreign: ReadonlySet<string> } => {
  const files = new Set<string>()
  const foreign = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) {
      const clientImport = /^@trailbook\/client(?:\/(\w+))?$/.exec(specifier)
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier.replace(/\.(ts|js)$/, ".d.ts")))
      else if (clientImport !== null) visit(join(packages, "client/dist", `${clientImport[1] ?? "index"}.d.ts`))
      else foreign.add(specifier)
    }
  }
  visit(join(packages, "trailbook/dist", entry))
  return { files, foreign }
}

describe("the type declarations", () => {
  it.each([
    ["index.d.ts", []],
    ["next.d.ts", []],
    ["node.d.ts", ["node:http"]]
  ])("in %s contain no Effect types or unexpected imports", (entry, allowedModules) => {
    const { files, foreign } = collectImports(entry)
    assert.isAbove(files.size, 3)
    expect([...foreign].sort()).toEqual(allowedModules)
    for (const file of files) assert.notMatch(readFileSync(file, "utf8"), /\bEffect\.Effect\b|\bLayer\./, file)
  })

  it("of the Effect entry point import Effect", () => {
    expect([...collectImports("effect.d.ts").foreign]).toContain("effect/Effect")
  })
})

const consumer = `
import { createTrailbook, type Booking, postgres, refuse, type Trailbook, TrailbookError } from "trailbook"
import { toNextHandlers } from "trailbook/next"

export const run = async (pool: import("trailbook").PgPool): Promise<string> => {
  const trailbook = await createTrailbook({
    database: postgres({ pool, schema: "booking" }),
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    before: {
      bookingCreate: async ({ customer, quantity }, tx) => {
        const [waiver] = await tx.query("select 1 from waivers where email = $1 and seats >= $2", [customer.email, quantity])
        if (waiver === undefined) throw refuse("waiver_missing", "Sign the waiver first.")
        // @ts-expect-error each database has its own booleans
        await tx.query("select $1", [true])
      }
    }
  })
  const booking: Booking = await trailbook.bookings.create({
    offering_id: "1",
    starts_at: "2027-05-01T15:00:00Z",
    customer: { email: "ada@example.com" },
    notes: undefined
  })
  const { data } = await trailbook.offerings.list()
  for await (const { id, type } of trailbook.events({ after: 7 })) if (type === "booking.confirmed") return String(id)
  const tried = await trailbook.try.bookings.get({ id: booking.id })
  if (!tried.ok) return tried.error.code
  const routes: Record<string, (request: Request) => Promise<Response>> = toNextHandlers(trailbook)
  // @ts-expect-error an id is text
  await trailbook.bookings.get({ id: 7 })
  // @ts-expect-error what it is called for has to be said
  await trailbook.bookings.get()
  // @ts-expect-error there is no such field
  await trailbook.bookings.create({ offering_id: "1", seats: 2 })
  const many: Trailbook = await createTrailbook({ database: ":memory:" })
  // @ts-expect-error nobody said whose bookings
  await many.bookings.list()
  const one = await many.forOrg("salida")
  try {
    return (await one.bookings.get({ id: "1" })).offering.name + data.length + Object.keys(routes).length
  } catch (error) {
    return error instanceof TrailbookError && error.retryable ? error.message : "?"
  }
}
`

/** Compiles a program with only our packages installed, so a missing type is an error. */
const compiled = (options: object): string => {
  const path = folder()
  const modules = join(path, "node_modules")
  mkdirSync(join(modules, "@trailbook"), { recursive: true })
  for (const name of ["trailbook", "client"]) {
    const packageFolder = join(modules, name === "trailbook" ? name : `@trailbook/${name}`)
    mkdirSync(packageFolder)
    symlinkSync(join(packages, name, "package.json"), join(packageFolder, "package.json"))
    symlinkSync(join(packages, name, "dist"), join(packageFolder, "dist"))
  }
  writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(path, "program.ts"), consumer)
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: "es2022",
    lib: ["es2023", "dom", "esnext.disposable"],
    types: [],
    preserveSymlinks: true,
    ...options
  }
  writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")
  try {
    return execFileSync(process.execPath, [tsc, "-p", path, "--listFiles"], { encoding: "utf8" })
  } catch (error) {
    if (error instanceof Error && "stdout" in error) throw new Error(String(error.stdout), { cause: error })
    throw error
  }
}

describe("a host application with only our packages", () => {
  it.each([
    ["node16", { module: "node16", moduleResolution: "node16" }],
    ["a bundler", { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: true }]
  ])("type-checks with %s", (_name, options) => {
    const files = compiled(options).split("\n").filter((file) => existsSync(file) && !file.includes("/lib.")).sort()
    assert.isTrue(files.some((file) => file.endsWith("trailbook/dist/index.d.ts")))
    assert.deepEqual(files.filter((file) => /node_modules\/(effect|@effect|hono|pg)\//.test(file)), [])
  })
})
