import { redactUrl } from "@trailbook/runtime/setting/databaseUrl"
import { describe, expect, it } from "vitest"
import { findUnknownVariables, readSettings } from "../../src/setting/readSettings.ts"
import { type CommandName, commandNames } from "../../src/setting/Setting.ts"
import { listCommandSettings, settingEntries, settings } from "../../src/setting/settings.ts"

const database = ["database", "sqlite:a.sqlite"] as const
const serve = (flags: Record<string, string>, env: Record<string, string> = {}) =>
  readSettings("serve", new Map([database, ...Object.entries(flags)]), env)

const complaint = (command: CommandName, flag: string, text: string): string | undefined =>
  readSettings(command, new Map([[flag, text]]), {}).problems.find(({ settingSource: where }) =>
    new RegExp(`\\b${flag}\\b`).test(where)
  )
    ?.message

describe("a setting's value", () => {
  it("is read from the flag, then the environment variables, then the default", () => {
    const variables = { TRAILBOOK_PORT: "2", PORT: "3" }
    expect(serve({ port: "1" }, variables).values.port).toBe(1)
    expect(serve({}, variables).values.port).toBe(2)
    expect(serve({}, { PORT: "3" }).values.port).toBe(3)
    expect(serve({}).values.port).toBe(4000)
  })

  it("is not read from an empty environment variable", () => {
    expect(serve({}, { TRAILBOOK_PORT: "", PORT: "3" }).values.port).toBe(3)
  })

  it("causes an error with its source and bounds if it is invalid", () => {
    expect(serve({ port: "65536" }).problems).toEqual([
      { settingSource: "--port", message: "--port must be a whole number from 0 to 65535, but is \"65536\"." }
    ])
    expect(serve({}, { PORT: "http" }).problems).toEqual([
      { settingSource: "PORT", message: "PORT must be a whole number from 0 to 65535, but is \"http\"." }
    ])
  })

  it("is required if it has no default", () => {
    expect(readSettings("serve", new Map(), {}).problems.map(({ message }) => message)).toEqual([
      "--database (or TRAILBOOK_DATABASE, DATABASE_URL) is required and must be sqlite:<file> or postgres://<host>/<database>, such as sqlite:trailbook.sqlite."
    ])
  })

  it("is the expected default if it is not set", () => {
    expect(serve({}).values).toEqual({
      database: { _tag: "Sqlite", file: "a.sqlite" },
      host: "127.0.0.1",
      port: 4000,
      publicUrl: undefined,
      rateLimitPerSecond: 100,
      maxConnections: 900,
      trustProxy: undefined,
      outbox: undefined,
      files: undefined,
      filesRegion: "auto",
      filesKey: undefined,
      filesMinFreeMb: 500,
      guestMessagesPerDay: 50,
      guestFilesMbPerDay: 100,
      mailFrom: "bookings@localhost",
      smtpUrl: undefined,
      mailPerSecond: 64,
      replyDomain: undefined,
      dkimKey: undefined,
      dkimSelector: "trailbook",
      mailListen: undefined,
      mailCertificate: undefined,
      mailInSecret: undefined,
      forecast: "off",
      forecastUrl: undefined,
      forecastKey: undefined,
      forecastContact: undefined,
      gauges: "off",
      gaugesUrl: undefined,
      gaugesKey: undefined,
      logLevel: "info",
      logFormat: "auto",
      metricsHost: "127.0.0.1",
      shutdownDelaySeconds: 0,
      shutdownGraceSeconds: 10,
      worker: "on",
      secretsKeys: undefined,
      webhookAllow: undefined,
      json: false
    })
  })
})

describe("setting bounds", () => {
  const cases: ReadonlyArray<
    readonly [command: CommandName, flag: string, good: ReadonlyArray<string>, bad: ReadonlyArray<string>]
  > = [
    ["serve", "port", ["0", "65535"], ["-1", "65536", "1.5", "1e3", "", " 1", "0x10", "99999999999999999999"]],
    ["serve", "rate-limit", ["0", "1000000"], ["-1", "1000001", "many"]],
    ["serve", "otlp-endpoint", ["http://127.0.0.1:4318", "https://otel.example.com"], ["127.0.0.1:4318", "ftp://a"]],
    ["serve", "database-replica", ["postgres://127.0.0.1/trailbook"], [
      "sqlite:a.sqlite",
      "postgres://a,b/trailbook",
      "postgres://a"
    ]],
    ["serve", "metrics-port", ["0", "65535"], ["-1", "65536"]],
    ["serve", "metrics-host", ["::", "localhost"], ["", "a b"]],
    ["serve", "shutdown-delay-seconds", ["0", "300"], ["-1", "301"]],
    ["serve", "shutdown-grace-seconds", ["1", "600"], ["0", "601"]],
    ["serve", "max-connections", ["1", "1000000"], ["0", "1000001", "-1", "all"]],
    [
      "serve",
      "trust-proxy",
      ["loopback", "1", "10", "10.0.0.0/8", "10.0.0.1", "loopback, fd00::/8,10.0.0.0/8"],
      [
        "0",
        "11",
        "99999999999999999999",
        "true",
        "10/8",
        "10.0.0.0/33",
        "localhost",
        "loopback,",
        "1,2",
        "::ffff:10.0.0.0/104"
      ]
    ],
    ["serve", "worker", ["on", "off"], ["ON", "true", ""]],
    ["worker", "public-url", ["https://a.example"], ["a.example"]],
    [
      "serve",
      "secrets-keys",
      [`k1:${"a".repeat(43)}=`, `k-2:${"+/".repeat(21)}a=, k1:${"_".repeat(43)}`],
      ["", "k1", "k1:", `k1:${"a".repeat(42)}`, `k1:${"a".repeat(44)}`, `k1:${"a".repeat(43)}=,`, `:${"a".repeat(43)}`]
    ],
    [
      "serve",
      "webhook-allow",
      ["127.0.0.0/8", "10.1.2.3", "fd00::/8, 192.168.0.0/16", "0.0.0.0/0"],
      ["", "127/8", "127.0.0.0/33", "localhost", "10.0.0.0/8,", "10.0.0.0/8/8"]
    ],
    ["serve", "forecast", ["off", "open-meteo", "nws"], ["on", "Open-Meteo", ""]],
    ["worker", "forecast-url", ["https://a.example", "http://127.0.0.1:8080/api/"], ["a.example", ""]],
    ["mcp", "forecast-key", ["k", "a".repeat(200)], ["", "a b", "a".repeat(201), "k\n"]],
    ["doctor", "forecast-contact", ["ops@example.com"], ["ops", ""]],
    ["serve", "gauges", ["off", "usgs"], ["on", ""]],
    ["serve", "gauges-url", ["https://a.example"], ["a.example"]],
    ["serve", "gauges-key", ["k"], ["", "a b"]],
    ["agent preview", "at", ["2027-05-01T15:00:00Z", "2027-05-01T06:00:00-06:00"], ["", "2027-05-01", "now"]],
    ["secrets generate", "key-id", ["k1", "a_b-C", "k".repeat(16)], ["", "k 1", "k".repeat(17), "k:1"]],
    ["webhooks test", "webhook-id", ["01a1d5a3-2000-7036-bee5-11d0a8ac712c"], ["", "a".repeat(37)]],
    ["webhooks replay", "from", ["1", "999999999999999"], ["0", "-1", "first"]],
    ["tasks list", "org", ["salida-river-co"], ["", "a".repeat(81)]],
    ["tasks retry", "task-id", ["01a1d5a3-2000-7036-bee5-11d0a8ac712c"], ["", "a".repeat(37)]],
    ["webhooks tail", "after", ["0", "999999999999999"], ["-1", "now"]],
    ["webhooks tail", "type", ["booking.confirmed", "a".repeat(60)], ["", "a".repeat(61)]],
    ["mcp", "database", ["sqlite:a.sqlite", "postgres://u:p@h/d"], ["a.sqlite"]],
    ["mcp", "url", ["https://a.example", "http://127.0.0.1:4000"], ["a.example", "https://a.example?x=1", ""]],
    ["mcp", "key", [`tb_test_${"0".repeat(44)}22fn0u`], ["", "tb_test_0", `tb_test_${"0".repeat(50)}`]],
    ["mcp", "org", ["salida-river-co"], ["", "a".repeat(81)]],
    ["mcp", "toolsets", ["bookings", "admin, bookings"], ["", "all", "bookings,"]],
    ["serve", "assistant-confirmations", ["always", "elicit", "never"], ["", "ask"]],
    ["mcp", "schemas", ["lean", "full"], ["", "all"]],
    ["demo", "seed", ["0", "4294967295"], ["-1", "4294967296"]],
    ["serve", "host", ["::", "localhost", "a".repeat(255)], ["", " ", "a b", "http://a", "a".repeat(256)]],
    ["serve", "log-format", ["auto", "json", "text"], ["JSON", "pretty", ""]],
    ["serve", "log-level", ["debug", "info", "warn", "error", "silent"], ["INFO", "all", ""]],
    [
      "serve",
      "public-url",
      ["https://a.example", "http://a.example:8080/book/"],
      ["a.example", "ftp://a.example", "https://u:p@a.example", "https://a.example?x=1", "https://a.example#x", ""]
    ],
    ["serve", "outbox", ["mails", "/var/mails"], ["", "a\0b"]],
    [
      "serve",
      "files",
      [
        "files",
        "/var/files",
        "https://s3.eu-central-1.amazonaws.com/b",
        "https://b.s3.example.com",
        "http://127.0.0.1:9000/b/in"
      ],
      [
        "",
        "a\0b",
        "https://example.com",
        "http://127.0.0.1:9000",
        "https://u:p@s3.example.com/b",
        "s3://b",
        "https://s3.example.com/b?x=1"
      ]
    ],
    ["worker", "files-region", ["auto", "eu-central-1"], ["", "r".repeat(61)]],
    ["worker", "files-min-free-mb", ["0", "1000000000"], ["-1", "1000000001", "1.5"]],
    ["serve", "guest-messages-per-day", ["1", "1000000"], ["0", "1000001"]],
    ["serve", "guest-files-mb-per-day", ["1", "1000000"], ["0", "1000001"]],
    ["serve", "files-key", ["AKIA:secret/with+signs=", "id:a:b"], ["", "id", "id:", ":secret", "id:a b"]],
    [
      "serve",
      "smtp-url",
      [
        "smtp://mail.example.com",
        "smtp://mail.example.com:25?tls=off",
        "smtps://jo%40pine.example:p%20w@mail.example.com",
        "smtp://[::1]:2525/"
      ],
      [
        "",
        "mail.example.com",
        "http://mail.example.com",
        "smtp://",
        "smtp://jo@mail.example.com",
        "smtp://:secret@mail.example.com",
        "smtps://mail.example.com?tls=off",
        "smtp://mail.example.com?pool=true",
        "smtp://mail.example.com/inbox",
        "smtp://mail.example.com:99999",
        "smtp://a b@mail.example.com"
      ]
    ],
    ["worker", "mail-per-second", ["1", "1000"], ["", "0", "1001", "1.5"]],
    [
      "serve",
      "reply-domain",
      ["reply.example.com", "xn--bcher-kva.example"],
      ["", "localhost", "reply_.example.com", "a..example.com", ".example.com", "a@example.com", "a".repeat(200)]
    ],
    ["worker", "dkim-key", ["dkim.pem"], ["", "keys/"]],
    ["worker", "dkim-selector", ["trailbook", "s-1"], ["", "a.b", "a b", "a".repeat(64)]],
    [
      "worker",
      "mail-listen",
      ["lmtp://127.0.0.1:2424", "smtp://0.0.0.0:25", "lmtp://[::1]:24", "smtp://mail.example.com:0"],
      ["", "lmtp://127.0.0.1", "127.0.0.1:24", "http://127.0.0.1:24", "smtp://a:65536", "smtp://u:p@a:25"]
    ],
    ["worker", "mail-certificate", ["/etc/mail.pem"], ["", "keys/"]],
    ["serve", "mail-in-secret", ["a-Z_0".repeat(8)], ["", "a".repeat(31), "a".repeat(129), "a b".repeat(20)]],
    [
      "serve",
      "drafts-url",
      ["https://api.openai.com/v1", "http://127.0.0.1:11434/v1/"],
      ["", "api.openai.com", "https://key@api.openai.com", "https://api.openai.com/v1?model=m", "file:///v1"]
    ],
    ["mcp", "drafts-model", ["gpt-5-mini", "org/model:7b"], ["", "a".repeat(201)]],
    ["doctor", "drafts-key", ["sk-a_b.c"], ["", "a b", "é", "a".repeat(501)]],
    ["serve", "mail-from", ["a@b.example", "a@localhost"], ["a", "a@", "@b", "a b@c", "a@b@c", "A <a@b.example>", ""]],
    [
      "serve",
      "database",
      [
        "sqlite:a.sqlite",
        "SQLite:./a",
        "sqlite:/a/b",
        "sqlite:///a/b",
        "postgres://u:p@h/d",
        "postgresql://h:5433/d?sslmode=require&schema=trips&prepare=off",
        "postgres:///d?host=/run/postgresql",
        "postgres://u:p@a,b:5433/d?target_session_attrs=read-write"
      ],
      [
        "",
        "a.sqlite",
        "sqlite:",
        "sqlite::memory:",
        "sqlite:a/",
        "sqlite:a?mode=ro",
        "mysql://h/d",
        "postgres://h",
        "postgres:///d",
        "postgres://h:x/d",
        "postgres://h,/d",
        "postgres://h,i:x/d"
      ]
    ],
    ["doctor", "backups", ["/var/backups/trailbook"], [""]],
    ["doctor", "database", ["sqlite:a.sqlite", "postgres://u:p@h/d"], ["a.sqlite"]],
    ["org create", "name", ["A", "ü".repeat(80)], ["", "  ", "a".repeat(81), "a\0b"]],
    ["org create", "timezone", ["America/Denver", "UTC"], ["", "Mars/Olympus", "+01:00"]],
    ["org create", "plan", ["free", "pro"], ["gold", ""]],
    ["org update", "plan", ["free", "pro"], ["gold", ""]],
    ["org create", "owner", ["ann@example.com"], ["ann", "ann@", ""]],
    ["staff add", "role", ["owner", "staff"], ["boss", ""]],
    ["org create", "currency", ["usd", "nok", "USD"], ["xxx", "us", ""]],
    [
      "org create",
      "email",
      ["ann@example.com", " Ann@Example.com "],
      ["", "ann", "ann@localhost", "a@b.co,c@d.co", "Ann <ann@example.com>"]
    ],
    ["staff add", "email", ["ann@example.com"], ["", ".ann@example.com", `${"a".repeat(250)}@b.co`]],
    ["staff add", "name", ["Ann", "a".repeat(120)], ["", "a".repeat(121)]],
    ["keys create", "org", ["salida-river-co"], ["", "a".repeat(81)]],
    ["keys create", "name", ["Website"], ["", "a".repeat(81)]],
    ["keys create", "scopes", ["read", "write,read", "read, write, admin"], ["", "all", "read,", "read,root"]],
    ["keys create", "expires", ["2027-05-01T15:00:00Z"], ["2027-05-01", "2027-02-30T00:00:00Z", "tomorrow", ""]],
    ["backup", "file", ["monday.sqlite", "/var/backups/a b"], ["", "backups/"]],
    ["keys revoke", "key-id", ["4fYk0aZ91LsQ"], ["", "a".repeat(13)]],
    ["payments connect", "payment-key", ["sk_test_1", "a".repeat(300)], ["", "a".repeat(301)]],
    ["payments connect", "public-url", ["https://book.example.com"], ["book.example.com", ""]],
    ["payments connect", "account", ["acct_1PgafTB1k0eVxQ2v"], ["", "a".repeat(121)]],
    ["payments connect", "payment-notice-secret", ["whsec_1"], ["", "a".repeat(301)]],
    ["payments reconcile", "days", ["1", "30"], ["0", "31", "1.5", "x", ""]],
    ["help", "command", ["keys create"], ["", "a".repeat(41)]]
  ]

  it.each(cases)("apply to %s --%s", (command, flag, good, bad) => {
    expect(good.map((text) => complaint(command, flag, text))).toEqual(good.map(() => undefined))
    const { kind } = listCommandSettings(command).map(([, setting]) =>
      setting
    ).find((setting) => setting.flag === flag) ??
      {}
    for (const text of bad) {
      const message = complaint(command, flag, text)
      expect(message, JSON.stringify(text)).toContain(kind?.accepts)
    }
  })

  it("are tested for every setting that has a value", () => {
    const flagsOfCases = new Set(cases.map(([command, flag]) => `${command} ${flag}`))
    const missing = settingEntries.filter(([, { commands, flag, kind }]) =>
      kind.placeholder !== null && !commands.some((command) => flagsOfCases.has(`${command} ${flag}`))
    )
    expect(missing.map(([name]) => name)).toEqual([])
  })
})

describe("a database URL", () => {
  const settingsFor = (url: string) => readSettings("serve", new Map(), { DATABASE_URL: url })

  it("can set the Postgres schema and turn off prepared statements", () => {
    expect(settingsFor("postgres://me:secret@db:5433/trips?sslmode=require").values.database).toEqual({
      _tag: "Postgres",
      url: "postgres://me:secret@db:5433/trips?sslmode=require",
      schema: "trailbook",
      prepare: true
    })
    expect(settingsFor("postgres://db/trips?schema=river&sslmode=require&prepare=off").values.database).toEqual({
      _tag: "Postgres",
      url: "postgres://db/trips?sslmode=require",
      schema: "river",
      prepare: false
    })
  })

  it("can list several Postgres hosts", () => {
    const { database } = settingsFor("postgres://me:secret@postgres:5433,b/trips?schema=river").values
    expect(database).toEqual({
      _tag: "Postgres",
      url: "postgres://me:secret@postgres:5433,b/trips",
      schema: "river",
      prepare: true
    })
    expect(redactUrl(database)).toBe("postgres://postgres:5433,b/trips (schema river)")
  })

  it.each([
    ["postgres://me:secret@db/trips?schema=My-Schema", "at most 63 lowercase letters"],
    ["postgres://me:secret@db/trips?prepare=maybe", "prepare=on or prepare=off"],
    ["postgres://me:secret@a,b/trips?target_session_attrs=any", "target_session_attrs=read-write"],
    ["postgres://me:secret@db", "postgres://<host>/<database>"]
  ])("is rejected without revealing the password: %s", (url, expected) => {
    const { problems } = settingsFor(url)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(expected)
    expect(problems[0]?.message).not.toContain("secret")
  })

  it("is shown without its password", () => {
    const { database } = settingsFor("postgres://me:secret@db:5433/trips").values
    expect(redactUrl(database)).toBe("postgres://db:5433/trips (schema trailbook)")
  })
})

describe("the settings table", () => {
  it("assigns distinct flags and variables to a command's settings", () => {
    for (const command of commandNames) {
      const settings = listCommandSettings(command).map(([, setting]) => setting)
      const flags = settings.map(({ flag }) => flag)
      const variables = settings.flatMap(({ env }) => env)
      expect(new Set(flags).size, command).toBe(flags.length)
      expect(new Set(variables).size, command).toBe(variables.length)
    }
  })

  it("derives the name of each variable from its flag", () => {
    const withVariable = settingEntries.filter(([, { env }]) => env.length > 0).map(([, setting]) => setting)
    expect(withVariable.map(({ env }) => env[0])).toEqual(
      withVariable.map(({ flag }) => `TRAILBOOK_${flag.toUpperCase().replaceAll("-", "_")}`)
    )
  })

  it("displays defaults that parse to the actual default values", () => {
    for (const [name, { kind, otherwise }] of settingEntries) {
      if (otherwise?.value === undefined || kind.placeholder === null) continue
      expect(kind.read(otherwise.shown), name).toEqual({ value: otherwise.value })
    }
    expect(settings.port.otherwise?.shown).toBe("4000")
  })
})

describe("an unknown Trailbook variable", () => {
  it("is reported with the closest setting name, if one is similar", () => {
    const env = { TRAILBOOK_PROT: "1", TRAILBOOK_TEAPOT: "", TRAILBOOK_HOST: "::", HOME: "/root", trailbook_port: "1" }
    expect(findUnknownVariables(env).map(({ message }) => message)).toEqual([
      "TRAILBOOK_PROT is not a setting. Did you mean TRAILBOOK_PORT?",
      "TRAILBOOK_TEAPOT is not a setting.",
      "trailbook_port is not a setting. Did you mean TRAILBOOK_PORT?"
    ])
  })
})
