/**
 * Project rules that neither the compiler nor the linter can check. Each rule is a function that takes sources and
 * returns complaints. It runs on the repository, and on a small invalid sample to prove that it can fail.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, normalize, relative } from "node:path"
import { parseSync } from "oxc-parser"
import { assert, describe, it } from "vitest"
import { imports } from "./house/imports.ts"
import { type Override, overrides } from "./house/lintRules.ts"
import { participleNames } from "./house/localNames.ts"

const root = join(import.meta.dirname, "..")

interface Source {
  /** The path relative to the package's `src`, with forward slashes. */
  readonly path: string
  readonly text: string
}

/**
 * The concepts of core in dependency order. A folder can import from itself and from the entries before it. Every
 * folder can import files that are not in a folder.
 */
const line = [
  "time",
  "concurrency",
  "money",
  "wire",
  "pricing",
  "port",
  "job",
  "task",
  "org",
  "actor",
  "staff",
  "oauth",
  "offering",
  "session",
  "capacity",
  "customer",
  "file",
  "payment",
  "booking",
  "assistant",
  "report",
  "availability",
  "conversation",
  "event",
  "webhook",
  "billing",
  "mail",
  "forecast",
  "automation",
  "proposal",
  "customer/erasure",
  "handler",
  "storage",
  "operation"
]

const quotedString = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/.source
const template = /`(?:\\.|[^`\\])*`/.source
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//.source

/** Matches strings as well, so that `"https://…"` does not start a comment. */
const withoutComments = (text: string): string =>
  text.replace(
    new RegExp(`${quotedString}|${template}|${comment}`, "g"),
    (match) => match.startsWith("/") ? " " : match
  )

const withoutStrings = (text: string): string => text.replace(new RegExp(quotedString, "g"), "\"\"")

const specifiers = (text: string): ReadonlyArray<string> =>
  Array.from(
    withoutComments(text).matchAll(
      /(?:(?<!["'])\bfrom\s+|\bimport\s*|\bimport\s*\(\s*|\brequire\s*\(\s*)(["'])([^"'\n]+)\1/g
    ),
    (match) => match[2] ?? ""
    // In SQL, a template value instead of a module can follow `from`.
  ).filter((specifier) => !specifier.includes("${"))

const packageOf = (specifier: string): string =>
  specifier.startsWith("node:") ? "node:" : specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

interface Manifest {
  readonly name?: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly exports?: Record<string, object>
}

const foreignImports = (
  sources: ReadonlyArray<Source>,
  allowedNames: ReadonlyArray<string>,
  manifest: Manifest
): ReadonlyArray<string> => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest
  const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies }
  return sources.flatMap(({ path, text }) =>
    specifiers(text).filter((specifier) => !specifier.startsWith(".")).flatMap((specifier) => {
      const name = packageOf(specifier)
      if (!allowedNames.includes(name)) return [`${path}: may not import ${specifier}`]
      // Browser client modules are bundled before packing, so they can use `devDependencies`.
      const dependencies = path.startsWith("client/") ? { ...declared, ...devDependencies } : declared
      return name === "node:" || name in dependencies ? [] : [`${path}: ${name} is not in package.json`]
    })
  )
}

const undeclared = (sources: ReadonlyArray<Source>, manifest: Manifest): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    specifiers(text).filter((specifier) => !/^(?:\.|node:)/.test(specifier)).map(packageOf)
      .filter((name) => !(name in { ...manifest.dependencies, ...manifest.devDependencies }))
      .map((name) => `${path}: ${name} is not in package.json`)
  )

const isWorkspace = (name: string): boolean => name === "trailbook" || name.startsWith("@trailbook/")
const folderOf = (name: string): string => name.replace("@trailbook/", "")

/**
 * Returns wrong references. `references` are the paths of a tsconfig. `groups` are the dependency groups of a
 * package.json, which must contain the same packages.
 */
const wrongReferences = (
  references: ReadonlyArray<string>,
  groups: ReadonlyArray<Record<string, string> | undefined>
): ReadonlyArray<string> => {
  const expected = new Set(
    groups.flatMap((group) => Object.keys(group ?? {})).filter(isWorkspace).map((name) =>
      `../${folderOf(name)}/tsconfig.src.json`
    )
  )
  return [
    ...references.filter((reference) => !expected.has(reference)).map((reference) => `${reference} is no dependency`),
    ...[...expected].filter((reference) => !references.includes(reference)).map((reference) =>
      `${reference} is missing`
    )
  ]
}

const outOfLine = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  // Operations are next to their concept and can use all other concepts.
  const rank = (path: string): number => {
    if (/(^layer|Operations)\.ts$/.test(path)) return line.length
    if (!path.includes("/")) return -1
    const [concept = "", part] = path.split("/")
    // Payments are part of writing a booking.
    if (concept === "payment" && (part === "online" || part === "ledger")) return line.indexOf("booking")
    return line.includes(`${concept}/${part}`) ? line.indexOf(`${concept}/${part}`) : line.indexOf(concept)
  }
  const isEntry = (path: string): boolean => basename(path) === "index.ts"
  return sources.filter(({ path }) => !isEntry(path)).flatMap(({ path, text }) => {
    if (path.includes("/") && rank(path) === -1) return [`${path}: its folder has no place in the line`]
    return specifiers(text).filter((specifier) => specifier.startsWith(".")).flatMap((specifier) => {
      const target = normalize(join(dirname(path), specifier))
      if (isEntry(target)) return [`${path}: imports an index`]
      return rank(target) > rank(path) ? [`${path}: ${target} is to its right`] : []
    })
  })
}

const hiddenInputs = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    [/\bDate\s*\.\s*now\b/, /\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/, /\bMath\s*\.\s*random\b/, /\brandomUUID\b/]
      .flatMap(
        (pattern) => withoutStrings(withoutComments(text)).match(pattern)?.map((match) => `${path}: ${match}`) ?? []
      )
  )

/**
 * Finds SQL templates. A template costs a span, a scope, and the compilation of its text. On Postgres,
 * `withTransaction` reports success for a failed commit.
 */
const templates = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    [/\bwithTransaction\b/, /\b(?:sql|client)(?:<[^>`]*>)?`/i, /\b(?:sql|client)\.unsafe\b/].flatMap(
      (pattern) => withoutStrings(withoutComments(text)).match(pattern)?.map((match) => `${path}: ${match}`) ?? []
    )
  )

const emptyNames = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => path.split("/").some((part) => /^(utils?|helpers?|common|types)(\.|$)/i.test(part)))

/**
 * Finds examples without valid code. Code on the same line as the tag can be wrapped like prose, which joins
 * statements.
 */
const garbledExamples = (sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/(?<=\* )@example(?=\s)(.*)((?:\n[ \t]*\*(?!\/| @).*)*)/g)).flatMap(
      ([, sameLine = "", lines = ""]) => {
        const code = lines.replaceAll(/^[ \t]*\* ?/gm, "").trim()
        if (sameLine.trim() !== "") return [`${path}: text on the line of @example:${sameLine}`]
        if (code === "") return [`${path}: @example without code`]
        const { errors } = parseSync("example.ts", code, { sourceType: "module" })
        return errors.length === 0 ? [] : [`${path}: does not parse: ${code.split("\n", 1).join()}`]
      }
    )
  )

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}_$][\p{L}\d_$]*/gu) ?? []

/**
 * Finds names in comments that no code contains: in links, in code font, and in the imports of examples. Only names in
 * camel case count in code font, because other words can be JSON, SQL, or commands.
 */
const staleNames = (sources: ReadonlyArray<Source>, existingNames: ReadonlySet<string>): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    (text.match(new RegExp(`${quotedString}|${template}|${comment}`, "g")) ?? [])
      .filter((match) => match.startsWith("/"))
      .flatMap((words) => [
        ...Array.from(words.matchAll(/\{@link[\s*]+([\w.]+)/g), ([, name = ""]) => name),
        ...Array.from(
          words.matchAll(/import \{([^}]+)\} from "(?:@trailbook\/|trailbook)/g),
          ([, names = ""]) => names
        ),
        ...Array.from(
          words.matchAll(/`([^`\n]+)`/g),
          ([, code = ""]) => code.match(/\b[a-z]+[A-Z]\w*/g)?.join(" ") ?? ""
        )
      ])
      .flatMap(wordsOf)
      .filter((name) => !existingNames.has(name))
      .map((name) => `${path}: ${name}`)
  )

const readJson = <A>(...path: ReadonlyArray<string>): A => JSON.parse(readFileSync(join(root, ...path), "utf8"))

const filesOf = (folder: string): ReadonlyArray<Source> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") }))

const sourcesOf = (name: string, folder = "src"): ReadonlyArray<Source> => filesOf(join(root, "packages", name, folder))

const packages = readdirSync(join(root, "packages"))
const sample = (text: string, path = "booking/Booking.ts"): ReadonlyArray<Source> => [{ path, text }]

it("the list of allowed imports covers every package", () => {
  assert.deepEqual(Object.keys(imports).sort(), [...packages].sort())
})

describe("the linter's import rules match the list (npm run lint:rules)", () => {
  const settings = () => readJson<{ readonly overrides: ReadonlyArray<Override> }>(".oxlintrc.json")

  it(".oxlintrc.json", () => {
    assert.deepEqual(settings().overrides, overrides(imports, settings().overrides))
  })

  it("detects a missing name", () => {
    const other = { files: ["bench/**/*.ts"], rules: { "no-console": "off" } }
    const before = overrides({ core: { names: ["effect"], message: "core imports effect." } }, [other])
    const after = overrides({ core: { names: ["effect", "node:"], message: "core imports effect." } }, before)
    assert.notDeepEqual(after, before)
    assert.deepEqual(after.slice(1), [other])
  })
})

describe("a package imports only listed modules", () => {
  it.each(packages)("%s", (name) => {
    assert.deepEqual(
      foreignImports(sourcesOf(name), imports[name]?.names ?? [], readJson("packages", name, "package.json")),
      []
    )
  })

  it("detects an unlisted import", () => {
    const wrong = sample(`
      // import * as commented from "out"
      const url = "https://trailbook.example" // a slash in a string
      import { readFileSync } from "node:fs"
      import type * as SqlClient from "@effect/sql/SqlClient"
      import "hono"
      export * from '@trailbook/sql/Dialect'
      const late = await import("@trailbook/memory/MemoryDatabase")
      import {
        Effect
      } from "effect/Effect"
      const field = <input name="from" value={from} type="date" />
    `)
    assert.deepEqual(foreignImports(wrong, ["effect"], { peerDependencies: { effect: "3" } }), [
      "booking/Booking.ts: may not import node:fs",
      "booking/Booking.ts: may not import @effect/sql/SqlClient",
      "booking/Booking.ts: may not import hono",
      "booking/Booking.ts: may not import @trailbook/sql/Dialect",
      "booking/Booking.ts: may not import @trailbook/memory/MemoryDatabase"
    ])
  })

  it("detects a dependency missing from package.json", () => {
    const wrong = sample(`import * as Effect from "effect/Effect"`)
    assert.deepEqual(foreignImports(wrong, ["effect"], { devDependencies: { effect: "3" } }), [
      "booking/Booking.ts: effect is not in package.json"
    ])
    const bundled = sample(`import * as Effect from "effect/Effect"`, "client/dashboard.ts")
    assert.deepEqual(foreignImports(bundled, ["effect"], { devDependencies: { effect: "3" } }), [])
    assert.deepEqual(foreignImports(bundled, ["effect"], {}), ["client/dashboard.ts: effect is not in package.json"])
  })
})

/**
 * Finds imports of modules that a package does not export. Also finds modules that only a string names, such as the
 * modules of worker threads. Tag names look like module names.
 */
const closedModules = (
  sources: ReadonlyArray<Source>,
  exportsOf: (name: string) => Readonly<Record<string, object>>
): ReadonlyArray<string> =>
  sources.flatMap(({ path, text }) =>
    Array.from(withoutComments(text).matchAll(/(?<!Tag\()"(@trailbook\/[a-z-]+)(\/[\w/-]+)"/g)).flatMap((
      [, name = "", module]
    ) =>
      "default" in (exportsOf(name)[`.${module}`] ?? {}) ||
        !existsSync(join(root, "packages", folderOf(name), `src${module}.ts`))
        ? []
        : [`${path}: ${name}${module} is not in the exports`]
    )
  )

describe("a package uses only exports of other packages", () => {
  const exportsOf = (name: string): Readonly<Record<string, object>> =>
    readJson<Manifest>("packages", folderOf(name), "package.json").exports ?? {}

  it.each(packages)("%s", (name) => {
    assert.deepEqual(closedModules(sourcesOf(name).filter(({ path }) => !path.startsWith("testing/")), exportsOf), [])
  })

  it("detects an unexported import or worker path", () => {
    const wrong = sample(`
      import * as Files from "@trailbook/files"
      import { cleanInThread } from "@trailbook/files/sanitizerWorker"
      import type { FileType } from "@trailbook/core/file"
      const tag = "@trailbook/files/NoFile"
      const worker = "@trailbook/mail/inbound/parse/parserWorker"
    `)
    const exported = { "./file": { default: "./dist/file/index.js" }, "./*": { "@trailbook/source": "./src/*.ts" } }
    assert.deepEqual(closedModules(wrong, () => exported), [
      "booking/Booking.ts: @trailbook/files/sanitizerWorker is not in the exports",
      "booking/Booking.ts: @trailbook/mail/inbound/parse/parserWorker is not in the exports"
    ])
  })
})

/** The examples with a package.json, which readers can copy as a starting point. */
const examples = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "package.json"))
)

describe("an example declares its imports in its package.json", () => {
  it.each(examples)("%s", (name) => {
    const sources = filesOf(join(root, "examples", name)).filter(({ path }) => !/^(?:test|node_modules)\//.test(path))
    assert.deepEqual(undeclared(sources, readJson("examples", name, "package.json")), [])
  })

  it("detects an undeclared import", () => {
    const wrong = sample(`import Database from "better-sqlite3"\nimport "node:fs"\nimport "tsx/esm"`, "board.ts")
    assert.deepEqual(undeclared(wrong, { devDependencies: { tsx: "4" } }), [
      "board.ts: better-sqlite3 is not in package.json"
    ])
  })
})

describe("project references repeat the workspace dependencies", () => {
  const references = (name: string, file: string): ReadonlyArray<string> =>
    readJson<{ references?: ReadonlyArray<{ path: string }> }>("packages", name, file).references?.map(({ path }) =>
      path
    ) ?? []

  it.each(packages)("%s", (name) => {
    const manifest = readJson<Manifest>("packages", name, "package.json")
    const groups = [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies]
    assert.deepEqual(wrongReferences(references(name, "tsconfig.src.json"), groups), [])

    const [ownReference, ...others] = references(name, "tsconfig.test.json")
    assert.strictEqual(ownReference, "./tsconfig.src.json")
    assert.deepEqual(wrongReferences(others, [...groups, manifest.devDependencies]), [])
  })

  it("detects missing and extra references", () => {
    assert.deepEqual(
      wrongReferences(["../sql/tsconfig.src.json"], [{ "@trailbook/core": "^0.1.0", effect: "^3.22.4" }, undefined]),
      ["../sql/tsconfig.src.json is no dependency", "../core/tsconfig.src.json is missing"]
    )
  })
})

describe("core's concepts import only earlier ones", () => {
  it("core", () => {
    assert.deepEqual(outOfLine(sourcesOf("core")), [])
  })

  it("detects each kind of violation", () => {
    assert.deepEqual(
      outOfLine([
        ...sample(`import { slots } from "../availability/slots.ts"\nimport { price } from "../money/price.ts"`),
        ...sample(`import type { Booking } from "./booking/Booking.ts"`, "Refusal.ts"),
        ...sample(`import { refuse } from "../Refusal.ts"\nimport { core } from "../index.ts"`, "time/Zone.ts"),
        ...sample(`import { bookable } from "../offering/index.ts"`, "session/Session.ts"),
        ...sample("export {}", "weather/Forecast.ts"),
        ...sample(`export * from "./operation/Registry.ts"`, "index.ts")
      ]),
      [
        "booking/Booking.ts: availability/slots.ts is to its right",
        "Refusal.ts: booking/Booking.ts is to its right",
        "time/Zone.ts: imports an index",
        "session/Session.ts: imports an index",
        "weather/Forecast.ts: its folder has no place in the line"
      ]
    )
  })
})

describe("the README of core", () => {
  const listedModules = new Map(
    Array.from(
      readFileSync(join(root, "packages/core/README.md"), "utf8").matchAll(
        /^\| `@trailbook\/core([\w/]*)` \| (.*) \|$/gm
      ),
      ([, module = "", content = ""]) => [module, content]
    )
  )

  it("lists every entry module, at most 60 in all", () => {
    const exported = Object.keys(readJson<Manifest>("packages", "core", "package.json").exports ?? {}).filter((entry) =>
      entry !== "./*" && entry !== "./package.json"
    )
    assert.deepEqual([...listedModules.keys()].map((module) => `.${module}`), exported)
    assert.isAtMost(exported.length, 60)
  })

  it("describes each entry module with its first comment", () => {
    const entries = sourcesOf("core").filter(({ path }) => path.endsWith("/index.ts"))
    assert.isAbove(entries.length, 20)
    for (const { path, text } of entries) {
      const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(text) ?? []
      assert.strictEqual(comment.replace(/\s*\n \* ?/g, " ").trim(), listedModules.get(`/${dirname(path)}`))
    }
  })
})

describe("core uses no clock and no randomness", () => {
  it("core", () => {
    assert.deepEqual(hiddenInputs(sourcesOf("core")), [])
  })

  it("detects each use, and ignores comments", () => {
    assert.deepEqual(
      hiddenInputs(sample(`
        /** Never Date.now(). */
        const said = "new Date() is forbidden"
        const given = new Date(epochMilliseconds)
        const a = Date.now()
        const b = new Date()
        const c = Math.random()
        const d = crypto.randomUUID()
      `)),
      ["Date.now", "new Date()", "Math.random", "randomUUID"].map((match) => `booking/Booking.ts: ${match}`)
    )
  })
})

describe("statements use a reserved connection instead of templates", () => {
  it.each(packages)("%s", (name) => {
    assert.deepEqual(templates(sourcesOf(name)), [])
  })

  it("detects each violation, and ignores comments", () => {
    assert.deepEqual(
      templates(sample(`
        /** Never sql.withTransaction. */
        const said = "put it into sql.withTransaction"
        const text = \`select \${sql}\`
        const a = sql<Row>\`select 1\`
        const b = client.withTransaction(work)
        const c = sql.unsafe(text)
      `)),
      ["withTransaction", "sql<Row>`", "sql.unsafe"].map((match) => `booking/Booking.ts: ${match}`)
    )
  })
})

describe("a file name describes its content", () => {
  it.each(packages)("%s", (name) => {
    assert.deepEqual(
      emptyNames(["src", "test"].flatMap((folder) => sourcesOf(name, folder).map(({ path }) => path))),
      []
    )
  })

  it("detects meaningless names", () => {
    const wrong = ["utils.ts", "time/helpers.ts", "common/x.ts", "booking/types.ts", "booking/util.test.ts"]
    assert.deepEqual(emptyNames([...wrong, "money/Currency.ts", "booking/BookingTypes.ts"]), wrong)
  })
})

describe("local values have nouns as names", () => {
  const complaints = (sources: ReadonlyArray<Source>) =>
    sources.flatMap(({ path, text }) => participleNames(path, text).map((name) => `${path}: ${name}`))

  it.each(packages)("%s", (name) => {
    assert.deepEqual(["src", "test"].flatMap((folder) => complaints(sourcesOf(name, folder))), [])
  })

  it.each(["bench", "examples", "test"])("%s", (folder) => {
    const isOwn = ({ path }: Source) => !/(^|\/)(node_modules|dist|\.next)\//.test(path)
    assert.deepEqual(complaints(filesOf(join(root, folder)).filter(isOwn)), [])
  })

  it("detects participles in every kind of declaration, and ignores property names", () => {
    assert.deepEqual(
      complaints(sample(`
        const made = createBooking()
        const { id: known, ...kept } = made
        const [seen = 0] = rows
        function given({ wanted }, { key: asked }) {}
        const map = (taken) => ({ shown: taken })
        const bookings = rows.map(({ named }) => ({ told: named }))
      `)),
      ["made", "known", "kept", "seen", "given", "asked", "taken"].map((name) => `booking/Booking.ts: ${name}`)
    )
  })
})

describe("example code starts below its tag and parses", () => {
  it.each(packages)("%s", (name) => {
    assert.deepEqual(garbledExamples(sourcesOf(name)), [])
  })

  it("detects misplaced, joined, and missing code", () => {
    const garbled = sample(`
      /** @example refuse("waiver_missing", "Sign the waiver first.") */
      /**
       * Confirms a booking.
       *
       * @example import { call } from "trailbook/effect" import * as Effect from
       * "effect/Effect"
       */
      /**
       * @example
       * const client = await pool.connect() await client.query("begin")
       *
       * await client.query("commit")
       */
      /**
       * @example
       * @param id Its ID.
       */
      /**
       * Sends an email to ada
       * @example.com.
       *
       * @example
       * import { call } from "trailbook/effect"
       *
       * const booking = await call<Booking>(bookingsConfirm, { id }) // confirmed
       *
       * @param id Its ID.
       */
    `)
    assert.deepEqual(garbledExamples(garbled), [
      `booking/Booking.ts: text on the line of @example: refuse("waiver_missing", "Sign the waiver first.") */`,
      `booking/Booking.ts: text on the line of @example: import { call } from "trailbook/effect" import * as Effect from`,
      `booking/Booking.ts: does not parse: const client = await pool.connect() await client.query("begin")`,
      "booking/Booking.ts: @example without code"
    ])
  })
})

describe("comments mention only existing names", () => {
  // This file contains invalid samples.
  const isOwn = ({ path }: Source) => !/(^|\/)(node_modules|dist|\.next|generated)\b|house\.test\.ts$/.test(path)
  const namesIn = ({ path, text }: Source) => [...wordsOf(path), ...wordsOf(withoutComments(text))]
  const exportedNames = ({ text }: Source) =>
    Array.from(
      text.matchAll(/^export (?:abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm),
      ([, name = ""]) => name
    )
  const packageSources = packages.map((name) => [name, filesOf(join(root, "packages", name)).filter(isOwn)] as const)
  const otherSources = ["test", "bench", "examples"].flatMap((folder) => filesOf(join(root, folder)).filter(isOwn))
  const namesOutside = ["camelCase", "randomUUID", "sideEffects", "startOfDay", "startTransaction", "toJSON"]

  // A private name of another package does not count.
  it.each(packageSources)("%s", (_, sources) => {
    const names = [
      ...namesOutside,
      ...packageSources.flatMap(([, all]) => all.flatMap(exportedNames)),
      ...sources.flatMap(namesIn)
    ]
    assert.deepEqual(staleNames(sources, new Set(names)), [])
  })

  it("test, bench, and examples", () => {
    const all = [...otherSources, ...packageSources.flatMap(([, sources]) => sources)]
    assert.deepEqual(staleNames(otherSources, new Set([...namesOutside, ...all.flatMap(namesIn)])), [])
  })

  it("detects stale links, code, and imports", () => {
    const comments = sample(`
      /**
       * Calls {@link confirmBooking} and \`cancelBooking(id)\`, but not \`pending\` or \`createBooking\`.
       *
       * @example
       * import { call, catchCode } from "trailbook/effect"
       * import { nothing } from "elsewhere"
       */
      // See \`oldName\`.
      const text = "{@link anything}"
    `)
    assert.deepEqual(
      staleNames(comments, new Set(["createBooking", "call"])),
      ["confirmBooking", "catchCode", "cancelBooking", "oldName"].map((name) => `booking/Booking.ts: ${name}`)
    )
  })
})
