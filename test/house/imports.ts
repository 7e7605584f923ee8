/** The packages that each package can import, and why. `npm run lint:rules` writes the list to the linter settings. */
export interface Imports {
  /** `node:` permits all Node modules. */
  readonly names: ReadonlyArray<string>
  /** The linter's message for any other import. */
  readonly message: string
}

export const imports: Readonly<Record<string, Imports>> = {
  core: {
    names: ["effect"],
    message: "core imports effect/* and itself, nothing else."
  },
  testkit: {
    names: ["effect", "chai", "@effect/vitest", "@noble/hashes", "vitest", "@trailbook/core"],
    message: "testkit imports core, effect, chai, @noble/hashes, and vitest."
  },
  rules: {
    names: ["effect", "@trailbook/core", "@trailbook/testkit"],
    message: "rules imports core and testkit, no test runner."
  },
  linearizability: {
    names: ["effect", "@effect/vitest", "@trailbook/core", "@trailbook/testkit"],
    message: "linearizability imports core, testkit and vitest."
  },
  memory: {
    names: ["effect", "@trailbook/core"],
    message: "memory imports core only: adapters never import adapters."
  },
  sql: {
    names: ["effect", "@effect/sql", "@trailbook/core", "node:"],
    message: "sql imports core: adapters never import adapters."
  },
  sqlite: {
    names: [
      "effect",
      "@effect/experimental",
      "@effect/sql",
      "@effect/sql-sqlite-node",
      "better-sqlite3",
      "@trailbook/core",
      "@trailbook/sql",
      "node:"
    ],
    message: "sqlite imports core, sql and its driver."
  },
  postgres: {
    names: [
      "effect",
      "@effect/experimental",
      "@effect/sql",
      "@effect/sql-pg",
      "pg",
      "@trailbook/core",
      "@trailbook/sql",
      "node:"
    ],
    message: "postgres imports core, sql and its driver."
  },
  http: {
    names: ["effect", "@effect/platform", "@fastify/busboy", "hono", "@hono/node-server", "@trailbook/core", "node:"],
    message: "http imports core and what serves HTTP, no storage."
  },
  drafter: {
    names: ["effect", "@effect/platform", "@trailbook/core", "@trailbook/http"],
    message: "drafter imports core and http: adapters never import other adapters."
  },
  forecast: {
    names: ["effect", "@effect/platform", "@trailbook/core", "@trailbook/http"],
    message: "forecast imports core and http: adapters never import other adapters."
  },
  files: {
    names: ["effect", "s3mini", "sharp", "@trailbook/core", "node:"],
    message: "files imports core, s3mini, and sharp: adapters never import adapters."
  },
  mail: {
    names: [
      "effect",
      "email-reply-parser",
      "html-to-text",
      "mailauth",
      "nodemailer",
      "postal-mime",
      "smtp-server",
      "@trailbook/core",
      "node:"
    ],
    message: "mail imports core and libraries for mail: adapters never import adapters."
  },
  stripe: {
    names: ["effect", "stripe", "@trailbook/core"],
    message: "stripe imports core and the official library: adapters never import adapters."
  },
  worker: {
    names: ["effect", "@trailbook/core"],
    message: "worker imports core only: adapters never import adapters."
  },
  webhook: {
    names: ["effect", "ipaddr.js", "@trailbook/core", "node:"],
    message: "webhook imports core and what tells addresses apart: adapters never import adapters."
  },
  receiver: {
    names: [],
    message: "receiver imports nothing: a webhook receiver can install it without other packages."
  },
  client: {
    names: [],
    message: "client imports nothing: it runs in browsers and can be installed without other packages."
  },
  "create-trailbook": {
    names: ["node:"],
    message: "create-trailbook imports only Node: npm downloads it before each new project."
  },
  mcp: {
    names: ["effect", "@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "@trailbook/core", "node:"],
    message: "mcp imports core and the SDKs of the protocol: adapters never import adapters."
  },
  web: {
    names: [
      "effect",
      "preact",
      "preact-render-to-string",
      "idiomorph",
      "uqr",
      "@trailbook/core",
      "@trailbook/http",
      "node:"
    ],
    message: "web imports core, http and what renders pages and renews them, no storage."
  },
  runtime: {
    names: [
      "effect",
      "@effect/platform",
      "@effect/sql",
      "@effect/sql-sqlite-node",
      "@trailbook/core",
      "@trailbook/drafter",
      "@trailbook/forecast",
      "@trailbook/http",
      "@trailbook/mail",
      "@trailbook/mcp",
      "@trailbook/postgres",
      "@trailbook/sql",
      "@trailbook/sqlite",
      "@trailbook/web",
      "@trailbook/webhook",
      "@trailbook/worker",
      "node:"
    ],
    message: "runtime imports what it puts together. Every host of the engine imports runtime."
  },
  trailbook: {
    names: [
      "effect",
      "@effect/sql",
      "@hono/node-server",
      "@trailbook/client",
      "@trailbook/core",
      "@trailbook/files",
      "@trailbook/http",
      "@trailbook/mail",
      "@trailbook/mcp",
      "@trailbook/postgres",
      "@trailbook/runtime",
      "@trailbook/sql",
      "@trailbook/sqlite",
      "@trailbook/web",
      "@trailbook/webhook",
      "@trailbook/worker",
      "node:"
    ],
    message: "trailbook is the embedding library: it imports runtime, and neither the server nor the command line."
  },
  server: {
    names: [
      "effect",
      "@effect/opentelemetry",
      "@effect/platform",
      "@trailbook/core",
      "@trailbook/files",
      "@trailbook/http",
      "@trailbook/mail",
      "@trailbook/mcp",
      "@trailbook/runtime",
      "@trailbook/sql",
      "@trailbook/stripe",
      "@trailbook/web",
      "@trailbook/webhook",
      "@trailbook/worker",
      "node:"
    ],
    message: "server imports runtime and what it serves, and not the embedding library."
  },
  demo: {
    names: [
      "effect",
      "@effect/sql",
      "@trailbook/core",
      "@trailbook/http",
      "@trailbook/mail",
      "@trailbook/runtime",
      "@trailbook/server",
      "@trailbook/sqlite",
      "@trailbook/web",
      "node:"
    ],
    message: "demo imports the server that it runs, and what creates its guests and bookings."
  },
  cli: {
    names: [
      "effect",
      "@effect/platform",
      "@trailbook/core",
      "@trailbook/demo",
      "@trailbook/drafter",
      "@trailbook/mail",
      "@trailbook/mcp",
      "@trailbook/postgres",
      "@trailbook/runtime",
      "@trailbook/server",
      "@trailbook/sql",
      "@trailbook/sqlite",
      "@trailbook/stripe",
      "@trailbook/web",
      "@trailbook/webhook",
      "node:"
    ],
    message: "cli imports the server and runtime, and not the embedding library."
  }
}
