/**
 * Tests the packages as npm would publish them: installs the tarballs into an empty project, type-checks it, and runs
 * it. The tarballs contain the current build (`npm test` builds first).
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { freePort } from "../freePort.ts"
import { createDatabase } from "../postgres/database.ts"
import { install, manifestIn, modulesOf, type Project } from "./project.ts"
import { parse, type Row, rowOf } from "./sizes.ts"
import { manifests, pack, root, type Tarball } from "./tarballs.ts"

let folder: string
let tarballs: ReadonlyArray<Tarball>
let project: Project

beforeAll(async () => {
  folder = realpathSync(await mkdtemp(join(tmpdir(), "trailbook-publish-")))
  tarballs = pack(folder)
  project = install(join(folder, "all"), tarballs, ["@types/node", "effect", "tsx"])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const tsc = (project: Project, options: Readonly<Record<string, unknown>>): string => {
  project.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        ...options
      },
      include: ["*.ts"]
    })
  )
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  return spawnSync(process.execPath, [tsc, "-p", "."], { cwd: project.folder, encoding: "utf8" }).stdout
}

const resolutions = {
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "preserve", moduleResolution: "bundler" }
}

describe("a tarball", () => {
  it.each(manifests.map(({ name }) => name))("of %s contains exactly the expected files", (name) => {
    const tarball = tarballs.find(({ manifest }) => manifest.name === name)
    assert.isDefined(tarball, "the package has no tarball")
    const { bin = {} } = manifestIn(project, name)
    for (const path of ["LICENSE", "package.json", "dist/index.js", "dist/index.d.ts", ...Object.values(bin)]) {
      assert.isTrue(existsSync(join(project.folder, "node_modules", name, path)), path)
    }
    assert.deepStrictEqual(
      tarball.paths.filter((path) => !/^(?:(?:dist|bin|template)\/.+|LICENSE|README\.md|package\.json)$/.test(path)),
      []
    )
    assert.deepStrictEqual(tarball.paths.filter((path) => /tsbuildinfo|\.test\.|\.map$/.test(path)), [])
    const text = readFileSync(join(project.folder, "node_modules", name, "LICENSE"), "utf8")
    assert.strictEqual(text, readFileSync(join(root, "LICENSE"), "utf8"))
  })

  it("contains the build output of every source file", () => {
    for (const { folder, manifest, paths } of tarballs) {
      // The build bundles the browser client into another module.
      const isBundled = (path: string) => manifest.name === "@trailbook/web" && path.startsWith("client/")
      const sources = readdirSync(join(folder, "src"), { encoding: "utf8", recursive: true })
        .filter((path) => /\.tsx?$/.test(path) && !isBundled(path)).map((path) => path.replace(/\.tsx?$/, ""))
      assert.isAbove(sources.length, 0)
      const lacking = sources.flatMap((source) => [`dist/${source}.js`, `dist/${source}.d.ts`])
        .filter((path) => !paths.includes(path))
      assert.deepStrictEqual(lacking, [], manifest.name)
    }
  })
})

it("docs/reference/packages.md matches the sizes and dependencies (test/publish/sizes.ts prints it)", () => {
  const packagesPage = parse(readFileSync(join(root, "docs/reference/packages.md"), "utf8"))
  const rows = tarballs.map(rowOf)
  const needs = ({ dependencies, name }: Row) => `${name}: ${dependencies.join(", ")}`
  assert.deepStrictEqual(packagesPage.map(needs), rows.map(needs))
  // Sizes change with every line of code, so the page only needs approximate sizes.
  for (const [at, { kilobytes, name }] of rows.entries()) {
    assert.approximately(packagesPage[at]?.kilobytes ?? 0, kilobytes, 2 + kilobytes / 3, name)
  }
})

describe("every exported module of every package", () => {
  it.each([
    // Only this case checks all declarations, including third-party declarations, because that takes ten times as long.
    ["node16", { ...resolutions.node16, skipLibCheck: false }],
    ["bundler", { ...resolutions.bundler, skipLibCheck: true }]
  ])("type-checks outside the workspace under %s", (_, options) => {
    const modules = tarballs.flatMap(modulesOf)
    assert.isAbove(modules.length, 200)
    project.write("all.ts", modules.map((module) => `import type {} from "${module}"`).join("\n"))
    for (const program of programs) cpSync(join(import.meta.dirname, "program", program), join(project.folder, program))
    assert.strictEqual(tsc(project, { ...options, types: ["node"] }), "")
  })

  it.each(Object.entries(resolutions))("control: is reported as missing under %s", (_, resolution) => {
    const empty = install(join(folder, `empty-${resolution.module}`), [], [])
    empty.write("all.ts", `import type {} from "@trailbook/core"`)
    assert.include(tsc(empty, { ...resolution, skipLibCheck: true }), "@trailbook/core")
  })

  it("can be loaded", () => {
    // Modules of two packages require a test runner.
    const loadable = tarballs.flatMap(modulesOf).filter((module) =>
      !/^@trailbook\/(?:linearizability|testkit)/.test(module)
    )
    project.write("load.mjs", `for (const name of ${JSON.stringify(loadable)}) await import(name)\nconsole.log("all")`)
    const { stderr, stdout } = run(project, ["load.mjs"])
    assert.strictEqual(stdout, "all\n", stderr)
  })
})

/** The programs contain no types, so Node can run the sources that the compiler has checked. */
const programs = ["overHttp.ts", "embedded.ts", "inLayers.ts", "inTransaction.ts", "withEffect.ts"]

const start = (project: Project, program: string, env: Readonly<Record<string, string>> = {}) => {
  const name = program.replace(".ts", ".mjs")
  cpSync(join(import.meta.dirname, "program", program), join(project.folder, name))
  return run(project, [name], env)
}

const run = ({ folder }: Project, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1", ...env } })

it("control: an import fails if its package is not installed", () => {
  const lacking = install(
    join(folder, "lacking"),
    tarballs.filter(({ manifest }) => manifest.name === "@trailbook/sql"),
    []
  )
  lacking.write("load.mjs", `await import("@trailbook/sql")`)
  assert.include(run(lacking, ["load.mjs"]).stderr, "ERR_MODULE_NOT_FOUND")
})

describe("a project made from tarballs", () => {
  it.each(["overHttp.ts", "embedded.ts", "inLayers.ts"])("books a raft trip: %s", (program) => {
    const { stderr, stdout } = start(project, program)
    assert.include(stdout, "Half-day raft trip: confirmed\n", stderr)
  })

  it.each(["embedded.ts", "inTransaction.ts"])("books a raft trip on Postgres: %s", async (program) => {
    const database = await createDatabase()
    try {
      const { stderr, stdout } = start(project, program, { TRIP_DATABASE: database.url })
      assert.include(stdout, "Half-day raft trip: confirmed\n", stderr)
    } finally {
      await database.drop()
    }
  })

  it.each(["trailbook", "@trailbook/cli"])("runs the trailbook command from %s", (name) => {
    const { bin = {}, version } = manifestIn(project, name)
    const { stdout } = run(project, [join("node_modules", name, String(bin["trailbook"])), "--version"])
    assert.include(stdout, version)
  })
})

describe("a project with only the library", () => {
  const optional = new Set(
    ["cli", "demo", "mail", "mcp", "server", "sqlite", "stripe"].map((name) => `@trailbook/${name}`)
  )
  let library: Project
  beforeAll(() => {
    library = install(
      join(folder, "library"),
      tarballs.filter(({ manifest }) => !optional.has(manifest.name)),
      ["@types/node"]
    )
  })

  it("type-checks without optional packages", () => {
    const entries = ["trailbook", "trailbook/effect", "trailbook/next", "trailbook/node"]
    library.write("all.ts", entries.map((entry) => `import type {} from "${entry}"`).join("\n"))
    assert.strictEqual(tsc(library, { ...resolutions.node16, skipLibCheck: false, types: ["node"] }), "")
  })

  it.each([
    ["{ database: \":memory:\" }", "database: SQLite", "@trailbook/sqlite"],
    [
      "{ database: \"postgres://db/trips\", publicUrl: \"https://a.example\", http: { surfaces: [\"mcp\"] } }",
      "http.surfaces: mcp",
      "@trailbook/mcp"
    ]
  ])("rejects options that require missing packages: %s", (options, feature, name) => {
    library.write(
      "missing.mjs",
      `import { createTrailbook } from "trailbook"
createTrailbook(${options}).catch(({ message }) => console.log(message))`
    )
    const { stderr, stdout } = run(library, ["missing.mjs"])
    assert.strictEqual(stdout, `${feature} requires the package ${name}. Run npm install ${name}.\n`, stderr)
  })

  it("runs the CLI version that matches the library", () => {
    const { bin = {}, version } = manifestIn(library, "trailbook")
    library.write("bin/npm", `#!/bin/sh\necho "$@"\n`)
    chmodSync(join(library.folder, "bin/npm"), 0o755)
    const { stdout } = run(library, [join("node_modules/trailbook", String(bin["trailbook"])), "keys", "list"], {
      PATH: `${join(library.folder, "bin")}:${process.env["PATH"]}`
    })
    assert.strictEqual(stdout, `exec --yes --package=@trailbook/cli@${version} -- trailbook keys list\n`)
  })
})

describe("a project made by create-trailbook", () => {
  const create = () => {
    const { bin = {}, version } = manifestIn(project, "create-trailbook")
    const command = join("node_modules/create-trailbook", String(bin["create-trailbook"]))
    const { status, stderr } = run(project, [command, "my-outfitter"])
    assert.strictEqual(status, 0, stderr)
    const outfitter = join(project.folder, "my-outfitter")
    onTestFinished(() => rm(outfitter, { recursive: true }))
    const manifest: ProjectManifest = JSON.parse(readFileSync(join(outfitter, "package.json"), "utf8"))
    assert.strictEqual(manifest.dependencies["trailbook"], `^${version}`)
    return { manifest, outfitter }
  }

  /** Runs `npm start`, which finds its packages in the parent folder. */
  const startServer = async ({ manifest, outfitter }: ReturnType<typeof create>, port: number) => {
    const [node, ...args] = manifest.scripts.start.split(" ")
    assert.strictEqual(node, "node")
    const server = spawn(process.execPath, args, {
      cwd: outfitter,
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const exit = once(server, "exit")
    const stop = async () => {
      server.kill()
      assert.deepStrictEqual(await exit, [0, null])
    }
    onTestFinished(() => void server.kill("SIGKILL"))
    const urls: Array<string> = []
    for await (const line of createInterface(server.stdout)) {
      urls.push(/http:\S+/.exec(line)?.[0] ?? "")
      if (line.startsWith("Emails")) break
    }
    const [bookingPage = "", dashboard = "", reference = ""] = urls
    return { bookingPage, dashboard, reference, stop }
  }

  const page = async (url: string): Promise<string> => {
    const answer = await fetch(url, { headers: { accept: "text/html" } })
    assert.strictEqual(answer.status, 200, url)
    return answer.text()
  }

  /** Returns a form's fields as a browser would send them, with the first available time selected. */
  const fieldsOf = (html: string): URLSearchParams => {
    const fields = new URLSearchParams()
    for (const [, tag = ""] of html.matchAll(/<(input [^>]*)>/g)) {
      const [, name = ""] = /name="([^"]*)"/.exec(tag) ?? []
      const [, value = ""] = /value="([^"]*)"/.exec(tag) ?? []
      if (!fields.has(name) && !/ disabled/.test(tag)) fields.set(name, value.replaceAll("&amp;", "&"))
    }
    return fields
  }

  it("type-checks", () => {
    const { manifest, outfitter } = create()
    assert.strictEqual(manifest.scripts.check, "tsc")
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd: outfitter, encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [0, ""])
  })

  it("takes bookings, and applies price changes after a restart", async () => {
    const project = create()
    const port = await freePort()
    const first = await startServer(project, port)
    const offers = await page(first.bookingPage)
    const [offering = ""] = /\/book\/my-outfitter\/[0-9a-f-]{36}/.exec(offers) ?? []
    const url = new URL(offering, first.bookingPage).href
    const slotFields = fieldsOf(await page(url))
    const form = fieldsOf(await page(`${url}/details?${slotFields}`))
    form.set("name", "Ada")
    form.set("email", "ada@example.com")
    const response = await fetch(url, { method: "POST", body: form, redirect: "manual" })
    assert.strictEqual(response.status, 303, await response.text())
    const guestPage = new URL(response.headers.get("location") ?? "", url).href
    assert.include(await page(guestPage), "Half-day raft trip")
    await page(first.dashboard)
    await page(first.reference)
    await first.stop()

    const file = join(project.outfitter, "outfitter.ts")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace("price_cents: 8500", "price_cents: 9900"))
    const second = await startServer(project, port)
    const changedPage = await page(second.bookingPage)
    assert.include(offers, ">$85<")
    assert.notInclude(changedPage, ">$85<")
    assert.include(changedPage, ">$99<")
    const count = (html: string) => html.split("/book/my-outfitter/").length
    assert.strictEqual(count(changedPage), count(offers))
    assert.include(await page(guestPage), "$85")
    await expect.poll(() => readdir(join(project.outfitter, "data/outbox"))).not.toEqual([])
    await second.stop()
  })
})

interface ProjectManifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly scripts: { readonly check: string; readonly start: string }
}

describe.each(["@trailbook/client", "@trailbook/receiver"])("%s", (name) => {
  it.each(Object.entries(resolutions))("requires no other package or types under %s", (_, resolution) => {
    const tarball = tarballs.find(({ manifest }) => manifest.name === name)
    assert.isDefined(tarball)
    const project = install(join(folder, `alone-${name.replace("/", "-")}-${resolution.module}`), [tarball], [])
    project.write("all.ts", modulesOf(tarball).map((module) => `import type {} from "${module}"`).join("\n"))
    project.write(
      "load.mjs",
      `for (const name of ${JSON.stringify(modulesOf(tarball))}) await import(name)\nconsole.log("all")`
    )
    assert.strictEqual(tsc(project, { ...resolution, skipLibCheck: false }), "")
    assert.strictEqual(run(project, ["load.mjs"]).stdout, "all\n")
  })
})

describe("two copies of effect", () => {
  /** Installs a project in which the program and the packages each have their own copy of Effect. */
  const twoCopies = (name: string, version: string): Project => {
    const project = install(
      join(folder, name),
      tarballs.filter(({ manifest }) => manifest.name === "@trailbook/core"),
      []
    )
    const effectFolder = join(project.folder, "node_modules/effect")
    mkdirSync(join(project.folder, "node_modules/@trailbook/core/node_modules"))
    renameSync(effectFolder, join(project.folder, "node_modules/@trailbook/core/node_modules/effect"))
    for (const part of ["package.json", "dist/esm"]) {
      cpSync(join(root, "node_modules/effect", part), join(effectFolder, part), { recursive: true })
    }
    const file = join(effectFolder, "dist/esm/internal/version.js")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace(/"3\.\d+\.\d+"/, `"${version}"`))
    return project
  }

  it("of different versions print a warning", () => {
    const { stderr, stdout } = start(twoCopies("two-versions", "3.0.0"), "withEffect.ts")
    assert.match(
      stdout,
      /Executing an Effect versioned 3\.\d+\.\d+ with a Runtime of version 3\.0\.0, you may want to dedupe/,
      stderr
    )
  })

  it("of the same version work without a warning", () => {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules/effect/package.json"), "utf8"))
    const { stderr, stdout } = start(twoCopies("two-copies", version), "withEffect.ts")
    assert.strictEqual(stdout, "invalid_request\n", stderr)
  })
})
