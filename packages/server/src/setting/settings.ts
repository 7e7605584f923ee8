/**
 * Defines all settings in one table. The command-line parser, `--help`, `docs/reference/settings.md`, and `doctor` are
 * derived from it.
 */
import { scopes } from "@trailbook/core/actor"
import { toolsets } from "@trailbook/core/operation/Operation"
import { plans } from "@trailbook/core/org/Org"
import { staffRoles } from "@trailbook/core/staff"
import { parseSmtpUrl, smtpUrlFormats } from "@trailbook/mail/parseSmtpUrl"
import { confirmationPolicies } from "@trailbook/mcp/Caller"
import { levels } from "@trailbook/runtime/JsonLog"
import { logFormats } from "@trailbook/runtime/readableLog"
import { databaseUrl, postgresUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Mail from "@trailbook/runtime/setting/mail"
import * as SettingType from "@trailbook/runtime/setting/SettingType"
import { bucketKey, filesLocation } from "./filesLocation.ts"
import { type CommandName, makeSetting, type Setting } from "./Setting.ts"
import { trustedProxies } from "./trustedProxies.ts"

// The following constants are command groups and the constructors for each group's settings.
const staff = ["staff add", "staff list", "staff remove"] as const
const keys = ["keys create", "keys list", "keys revoke"] as const
const webhooks = ["webhooks list", "webhooks tail", "webhooks test", "webhooks replay"] as const
const payments = ["payments connect", "payments disconnect", "payments status", "payments reconcile"] as const
const tasks = ["tasks list", "tasks retry"] as const
const storageCommands = [
  "worker",
  "migrate",
  "backup",
  "restore",
  "org create",
  "org list",
  "org update",
  ...staff,
  ...keys
] as const

const serverSetting = makeSetting("demo", "serve")
const listenSetting = makeSetting("demo", "serve", "doctor")
const workerSetting = makeSetting("demo", "serve", "worker")
const processSetting = makeSetting("demo", "serve", "worker", "doctor")
/** The demo has no mail settings. Its guests are generated, so it only writes emails to a folder. */
const mailSetting = makeSetting("serve", "worker", "doctor")
/** These are the commands that run API operations. */
const draftSetting = makeSetting("serve", "mcp", "doctor")
/** The demo has no weather settings, because it uses a fixed forecast. */
const weatherSetting = makeSetting("serve", "worker", "mcp", "agent preview", "doctor")
const secretSetting = makeSetting(
  "demo",
  "serve",
  "worker",
  "mcp",
  "webhooks test",
  "payments connect",
  "payments disconnect",
  "payments reconcile",
  "doctor"
)
const mcpSetting = makeSetting("mcp")
const doctorSetting = makeSetting("doctor")
const orgSetting = makeSetting("org create")
const staffSetting = makeSetting("staff add")
const keySetting = makeSetting("keys create")
const accountSetting = makeSetting("payments connect")
const orgFlagSetting = makeSetting("org update", ...staff, ...keys, ...webhooks, ...payments, "agent preview")
const outputSetting = makeSetting(
  "demo",
  "serve",
  ...storageCommands,
  "webhooks list",
  "webhooks test",
  "webhooks replay",
  ...payments,
  ...tasks,
  "agent preview",
  "doctor"
)
/** A mail server's URL. The value is the text exactly as entered. It is secret, because it can contain a password. */
const smtp = SettingType.secret(
  SettingType.makeSettingType("<url>", smtpUrlFormats, (text) => parseSmtpUrl(text) === undefined ? undefined : text)
)

const database = { env: ["TRAILBOOK_DATABASE", "DATABASE_URL"] } as const

export const settings = {
  database: makeSetting("serve", ...storageCommands, ...webhooks, ...payments, ...tasks, "agent preview").required(
    databaseUrl,
    {
      ...database,
      help: "The database URL."
    }
  ),
  backupFile: makeSetting("backup", "restore").required(SettingType.file, {
    positional: "file",
    help: "The path to the backup file."
  }),
  replace: makeSetting("restore").toggled({
    flag: "replace",
    help: "Replace an existing SQLite database. The old database stays in the same folder."
  }),
  check: makeSetting("migrate").toggled({
    flag: "check",
    help: "Only check for pending migrations. The exit code is 1 if migrations are pending."
  }),
  print: makeSetting("migrate").toggled({
    flag: "print",
    help: "Only print the SQL for pending migrations, to run in one transaction with another tool."
  }),
  examinedDatabase: doctorSetting.optional(databaseUrl, "none; database checks are skipped", {
    ...database,
    help: "The database to check."
  }),
  backups: doctorSetting.optional(SettingType.folder, "none; the age of backups is not checked", {
    env: ["TRAILBOOK_BACKUPS"],
    help: "The backup folder. The newest backup must be less than 48 hours old."
  }),
  askPayments: doctorSetting.toggled({
    flag: "ask-payments",
    help: "Also verify connected payment accounts with their providers. Nothing is charged."
  }),
  assistedDatabase: mcpSetting.optional(databaseUrl, "the server at --url", {
    ...database,
    help: "The database for the MCP server. Ignored if --url is set."
  }),
  url: mcpSetting.optional(SettingType.siteUrl, "the database in --database", {
    env: ["TRAILBOOK_URL"],
    help: "The remote server's public URL, which must match its --public-url."
  }),
  key: mcpSetting.optional(SettingType.apiKey, "none, which gives full access to --database; required with --url", {
    env: ["TRAILBOOK_KEY"],
    help: "The API key for the MCP session."
  }),
  toolsets: mcpSetting.withDefault(SettingType.choices(...toolsets), toolsets, {
    env: ["TRAILBOOK_TOOLSETS"],
    help: "The MCP toolsets to offer."
  }),
  readOnly: mcpSetting.toggled({
    env: ["TRAILBOOK_READ_ONLY"],
    help: "Offer only read-only MCP tools."
  }),
  assistantConfirmations: makeSetting("serve").optional(
    SettingType.choice(...confirmationPolicies),
    "always for signed-in users, never for API keys",
    {
      env: ["TRAILBOOK_ASSISTANT_CONFIRMATIONS"],
      help: "Whether destructive MCP calls need user confirmation or a preview token."
    }
  ),
  schemas: mcpSetting.withDefault(SettingType.choice("lean", "full"), "lean", {
    env: ["TRAILBOOK_SCHEMAS"],
    help: "Whether MCP tools list output schemas. full makes the list about 5 times as long."
  }),
  host: listenSetting.withDefault(SettingType.host, "127.0.0.1", {
    env: ["TRAILBOOK_HOST"],
    help: "The address to listen on. 0.0.0.0 accepts connections from the network."
  }),
  port: listenSetting.withDefault(SettingType.integer(0, 65_535), 4000, {
    env: ["TRAILBOOK_PORT", "PORT"],
    help: "The port to listen on. 0 picks a free port."
  }),
  publicUrl: serverSetting.optional(SettingType.siteUrl, "the listen address", {
    env: ["TRAILBOOK_PUBLIC_URL"],
    help: "The base URL for guests and API clients. Links in emails start with this URL."
  }),
  workerPublicUrl: makeSetting("worker", "org create", "staff add").withDefault(
    SettingType.siteUrl,
    "http://127.0.0.1:4000",
    {
      env: ["TRAILBOOK_PUBLIC_URL"],
      help: "The base URL for guests. Links in emails start with this URL."
    }
  ),
  rateLimitPerSecond: serverSetting.withDefault(SettingType.integer(0, 1_000_000), 100, {
    env: ["TRAILBOOK_RATE_LIMIT"],
    help: "Requests per second per API key. Bursts can be twice as high. 0 disables the limit."
  }),
  maxConnections: serverSetting.withDefault(SettingType.integer(1, 1_000_000), 900, {
    env: ["TRAILBOOK_MAX_CONNECTIONS"],
    help: "Maximum number of open connections. At the limit, the oldest idle connection is closed."
  }),
  trustProxy: serverSetting.optional(trustedProxies, "none; the peer address is used", {
    env: ["TRAILBOOK_TRUST_PROXY"],
    help: "The proxies to trust. Rate limits use the client address in their X-Forwarded-For header."
  }),
  outbox: processSetting.optional(SettingType.folder, "the folder outbox next to the database", {
    env: ["TRAILBOOK_OUTBOX"],
    help: "The folder for emails to guests, one file per email. Used without --smtp-url."
  }),
  files: processSetting.optional(filesLocation, "the folder files next to the database", {
    env: ["TRAILBOOK_FILES"],
    help: "Storage for message attachments: a folder or an S3-compatible bucket."
  }),
  filesRegion: processSetting.withDefault(SettingType.text("<region>", 60), "auto", {
    env: ["TRAILBOOK_FILES_REGION"],
    help: "The region of the --files bucket, as named by its provider."
  }),
  filesKey: processSetting.optional(bucketKey, "none; required for a bucket", {
    env: ["TRAILBOOK_FILES_KEY"],
    help: "The access key for the --files bucket. Prefer the variable."
  }),
  filesMinFreeMb: processSetting.withDefault(SettingType.integer(0, 1_000_000_000), 500, {
    env: ["TRAILBOOK_FILES_MIN_FREE_MB"],
    help: "Minimum free disk space in MB for uploads to a folder. 0 disables the check."
  }),
  guestMessagesPerDay: serverSetting.withDefault(SettingType.integer(1, 1_000_000), 50, {
    env: ["TRAILBOOK_GUEST_MESSAGES_PER_DAY"],
    help: "Maximum messages per booking page in 24 hours. The outfitter limit is 20 times this."
  }),
  guestFilesMbPerDay: serverSetting.withDefault(SettingType.integer(1, 1_000_000), 100, {
    env: ["TRAILBOOK_GUEST_FILES_MB_PER_DAY"],
    help: "Maximum MB of uploads per booking page in 24 hours. The outfitter limit is 20 times this."
  }),
  mailFrom: processSetting.withDefault(SettingType.senderAddress, "bookings@localhost", {
    env: ["TRAILBOOK_MAIL_FROM"],
    help: "The sender address for emails to guests. Its display name is the outfitter's name."
  }),
  smtpUrl: mailSetting.optional(smtp, "emails are written to the --outbox folder", {
    env: ["TRAILBOOK_SMTP_URL"],
    help: "The SMTP server for outgoing mail. Prefer the variable if the URL contains a password."
  }),
  mailPerSecond: makeSetting("serve", "worker").withDefault(SettingType.integer(1, 1000), 64, {
    env: ["TRAILBOOK_MAIL_PER_SECOND"],
    help: "Maximum emails per second. Bulk emails have a separate limit of the same size."
  }),
  replyDomain: mailSetting.optional(Mail.domain, "none; guests cannot reply by email", {
    env: ["TRAILBOOK_REPLY_DOMAIN"],
    help: "The email domain for replies and delivery reports."
  }),
  dkimKey: mailSetting.optional(SettingType.file, "none; the mail server can sign mail", {
    env: ["TRAILBOOK_DKIM_KEY"],
    help: "A PEM file with the DKIM private key for the --mail-from domain."
  }),
  dkimSelector: mailSetting.withDefault(Mail.selector, "trailbook", {
    env: ["TRAILBOOK_DKIM_SELECTOR"],
    help: "The DKIM selector. Publish the public key at <selector>._domainkey.<domain>."
  }),
  mailListen: mailSetting.optional(Mail.mailListenAddress, "none; no email is received", {
    env: ["TRAILBOOK_MAIL_LISTEN"],
    help: "The address to receive mail on: lmtp from your mail server, or smtp from the internet."
  }),
  mailCertificate: mailSetting.optional(SettingType.file, "none; mail is received unencrypted", {
    env: ["TRAILBOOK_MAIL_CERTIFICATE"],
    help: "A PEM file with the certificate and private key for STARTTLS on --mail-listen."
  }),
  mailInSecret: makeSetting("serve", "doctor").optional(Mail.pathSecret, "none; no provider can post email", {
    env: ["TRAILBOOK_MAIL_IN_SECRET"],
    help: "The secret in the URL that a provider posts emails to: <public URL>/mail/in/<secret>."
  }),
  draftsUrl: draftSetting.optional(SettingType.siteUrl, "replies are not drafted", {
    env: ["TRAILBOOK_DRAFTS_URL"],
    help: "An OpenAI-compatible API that drafts replies. The API receives guest messages."
  }),
  draftsModel: draftSetting.optional(SettingType.text("<model>", 200), "none; required with --drafts-url", {
    env: ["TRAILBOOK_DRAFTS_MODEL"],
    help: "The model at --drafts-url."
  }),
  draftsKey: draftSetting.optional(Mail.serviceKey, "none", {
    env: ["TRAILBOOK_DRAFTS_KEY"],
    help: "The API key for --drafts-url. Prefer the variable."
  }),
  forecast: weatherSetting.withDefault(SettingType.choice("off", "open-meteo", "nws"), "off", {
    env: ["TRAILBOOK_FORECAST"],
    help: "The weather service for trips. nws is the US National Weather Service."
  }),
  forecastUrl: weatherSetting.optional(SettingType.siteUrl, "the service's public URL; with a key, its customer URL", {
    env: ["TRAILBOOK_FORECAST_URL"],
    help: "The base URL for the --forecast service."
  }),
  forecastKey: weatherSetting.optional(
    SettingType.weatherServiceKey,
    "none; Open-Meteo is free for noncommercial use",
    {
      env: ["TRAILBOOK_FORECAST_KEY"],
      help: "The API key for Open-Meteo. Prefer the variable."
    }
  ),
  forecastContact: weatherSetting.optional(SettingType.personEmail, "none; required for nws", {
    env: ["TRAILBOOK_FORECAST_CONTACT"],
    help: "Your contact address, sent to the weather and river services in the User-Agent header."
  }),
  gauges: weatherSetting.withDefault(SettingType.choice("off", "usgs"), "off", {
    env: ["TRAILBOOK_GAUGES"],
    help: "The service for river levels. usgs is the US Geological Survey."
  }),
  gaugesUrl: weatherSetting.optional(SettingType.siteUrl, "the service's public URL", {
    env: ["TRAILBOOK_GAUGES_URL"],
    help: "The base URL for the --gauges service."
  }),
  gaugesKey: weatherSetting.optional(SettingType.weatherServiceKey, "none; a key raises the rate limit", {
    env: ["TRAILBOOK_GAUGES_KEY"],
    help: "The API key for --gauges. Prefer the variable."
  }),
  logLevel: workerSetting.withDefault(SettingType.choice(...levels), "info", {
    env: ["TRAILBOOK_LOG_LEVEL"],
    help: "The minimum level of log lines on stderr. info logs every request."
  }),
  logFormat: workerSetting.withDefault(SettingType.choice(...logFormats), "auto", {
    env: ["TRAILBOOK_LOG_FORMAT"],
    help: "The log format. auto is text on a terminal and json otherwise."
  }),
  metricsPort: makeSetting("serve", "worker").optional(SettingType.integer(0, 65_535), "none; no metrics are served", {
    env: ["TRAILBOOK_METRICS_PORT"],
    help: "The port for Prometheus metrics at /metrics, separate from the API. 0 picks a free port."
  }),
  metricsHost: makeSetting("serve", "worker").withDefault(SettingType.host, "127.0.0.1", {
    env: ["TRAILBOOK_METRICS_HOST"],
    help: "The address to serve metrics on. Metrics need no key, so do not use a public address."
  }),
  databaseReplica: makeSetting("serve").optional(postgresUrl, "none; the primary serves all reads", {
    env: ["TRAILBOOK_DATABASE_REPLICA"],
    help: "The Postgres URL of a streaming standby for lists, searches, reports, and availability."
  }),
  otlpEndpoint: makeSetting("serve", "worker").optional(SettingType.siteUrl, "none; nothing is sent", {
    env: ["TRAILBOOK_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"],
    help: "The base URL of an OpenTelemetry collector for traces and metrics, over OTLP/HTTP in JSON."
  }),
  shutdownDelaySeconds: makeSetting("serve").withDefault(SettingType.integer(0, 300), 0, {
    env: ["TRAILBOOK_SHUTDOWN_DELAY_SECONDS"],
    help: "Seconds to keep serving after SIGTERM while /readyz fails, so that proxies switch servers."
  }),
  shutdownGraceSeconds: workerSetting.withDefault(SettingType.integer(1, 600), 10, {
    env: ["TRAILBOOK_SHUTDOWN_GRACE_SECONDS"],
    help: "Seconds to let running requests and jobs finish after SIGTERM or Ctrl-C."
  }),
  worker: serverSetting.withDefault(SettingType.choice("on", "off"), "on", {
    env: ["TRAILBOOK_WORKER"],
    help: "Run background jobs in this process. If off, run trailbook worker."
  }),
  secretsKeys: secretSetting.optional(
    SettingType.secretsKeys,
    "a key file next to the database, created if missing; required on Postgres",
    {
      env: ["TRAILBOOK_SECRETS_KEYS"],
      help: "Keys that encrypt stored secrets. The first key encrypts new ones. Prefer the variable."
    }
  ),
  webhookAllow: makeSetting("demo", "serve", "worker", "mcp", "webhooks test").optional(SettingType.networks, "none", {
    env: ["TRAILBOOK_WEBHOOK_ALLOW"],
    help: "Private networks that webhooks can be sent to, including over http."
  }),
  fresh: makeSetting("demo").toggled({
    flag: "fresh",
    help: "Delete the demo's data in ./.trailbook without confirmation and start over."
  }),
  seed: makeSetting("demo").withDefault(SettingType.integer(0, 4_294_967_295), 7, {
    env: ["TRAILBOOK_SEED"],
    help: "The seed for the generated data. The same seed produces the same data on the same day."
  }),
  orgName: orgSetting.required(SettingType.text("<name>", 80), {
    flag: "name",
    help: "The outfitter's name, also used for its booking page."
  }),
  timezone: orgSetting.required(SettingType.timeZone, {
    flag: "timezone",
    help: "The outfitter's time zone."
  }),
  plan: orgSetting.withDefault(SettingType.choice(...plans), "free", {
    flag: "plan",
    help: "The outfitter's plan. With pro, guests pay online when they book."
  }),
  newPlan: makeSetting("org update").required(SettingType.choice(...plans), {
    flag: "plan",
    help: "The new plan. With pro, guests pay when they book. With free, bookings need no online payment."
  }),
  currency: orgSetting.withDefault(SettingType.currency, "usd", {
    flag: "currency",
    help: "The currency for the outfitter's prices."
  }),
  firstEmail: orgSetting.optional(SettingType.personEmail, "none; see staff add", {
    flag: "email",
    help: "The first staff member's email address. It gets notifications of guest messages."
  }),
  owner: orgSetting.optional(SettingType.personEmail, "none; see staff add --role owner", {
    flag: "owner",
    help: "The owner's email address. It gets notifications of guest messages. Prints a sign-in link."
  }),
  role: staffSetting.optional(SettingType.choice(...staffRoles), "the current role; staff for a new staff member", {
    flag: "role",
    help: "The staff member's role. An owner also manages staff and connected apps."
  }),
  link: staffSetting.toggled({
    flag: "link",
    help: "Print a sign-in link that works once and expires after 15 minutes."
  }),
  org: orgFlagSetting.optional(SettingType.text("<org>", 80), "the only outfitter in the database", {
    flag: "org",
    help: "The outfitter, by the slug or ID from org list."
  }),
  taskOrg: makeSetting(...tasks).optional(SettingType.text("<org>", 80), "all outfitters", {
    flag: "org",
    help: "The outfitter whose tasks to list or retry, by slug or ID."
  }),
  assistedOrg: mcpSetting.optional(
    SettingType.text("<org>", 80),
    "the key's outfitter, or the only one in the database",
    {
      flag: "org",
      help: "The outfitter for the MCP session, by slug or ID."
    }
  ),
  memberEmail: makeSetting("staff add", "staff remove").required(SettingType.personEmail, {
    flag: "email",
    help: "The staff member's email address."
  }),
  memberName: staffSetting.optional(SettingType.text("<name>", 120), "the current name, or none", {
    flag: "name",
    help: "The staff member's name."
  }),
  notify: staffSetting.toggled({
    flag: "notify",
    help: "Notify the staff member of guest messages. This is the default for new staff members."
  }),
  noNotify: staffSetting.toggled({
    flag: "no-notify",
    help: "Do not notify the staff member of guest messages."
  }),
  keyName: keySetting.withDefault(SettingType.text("<name>", 80), "Command line", {
    flag: "name",
    help: "A label for the key."
  }),
  scopes: keySetting.withDefault(SettingType.choices(...scopes), scopes, {
    flag: "scopes",
    help: "The key's scopes. admin covers the outfitter's settings and the export."
  }),
  expires: keySetting.optional(SettingType.instant, "never", {
    flag: "expires",
    help: "When the key expires."
  }),
  test: keySetting.toggled({
    flag: "test",
    help: "Create a test key, which starts with tb_test_."
  }),
  keyId: makeSetting("keys revoke").required(SettingType.text("<key-id>", 12), {
    positional: "key-id",
    help: "The key ID from keys list."
  }),
  once: makeSetting("worker").toggled({
    flag: "once",
    help: "Run all due jobs, print a summary, and exit."
  }),
  webhookId: makeSetting("webhooks test", "webhooks replay").required(SettingType.text("<webhook-id>", 36), {
    positional: "webhook-id",
    help: "The webhook ID from webhooks list."
  }),
  from: makeSetting("webhooks replay").required(SettingType.integer(1, 999_999_999_999_999), {
    flag: "from",
    help: "The ID of the first event to redeliver, even if it was already delivered."
  }),
  after: makeSetting("webhooks tail").optional(SettingType.integer(0, 999_999_999_999_999), "the newest event", {
    flag: "after",
    help: "Start after the event with this ID. 0 starts with the first event."
  }),
  eventType: makeSetting("webhooks tail").optional(SettingType.text("<type>", 60), "all", {
    flag: "type",
    help: "Only print events of this type, such as booking.confirmed."
  }),
  paymentKey: accountSetting.required(SettingType.text("<key>", 300), {
    env: ["TRAILBOOK_PAYMENT_KEY"],
    help: "The Stripe account's secret key. Prefer the variable."
  }),
  noticesUrl: accountSetting.optional(
    SettingType.siteUrl,
    "none; reconciliation finds payments within 10 minutes",
    {
      env: ["TRAILBOOK_PUBLIC_URL"],
      help: "The https base URL for guests. Stripe sends its webhooks to this URL."
    }
  ),
  paymentAccount: accountSetting.optional(SettingType.text("<account>", 120), "the key's account", {
    flag: "account",
    help: "The connected account, if the key is a platform key. Example: acct_1PgafTB1k0eVxQ2v."
  }),
  noticeSecret: accountSetting.optional(
    SettingType.text("<secret>", 300),
    "the secret for the webhook endpoint that Trailbook creates in Stripe",
    {
      env: ["TRAILBOOK_PAYMENT_NOTICE_SECRET"],
      help: "The signing secret for a webhook endpoint created manually in Stripe."
    }
  ),
  reconciledDays: makeSetting("payments reconcile").withDefault(SettingType.integer(1, 30), 30, {
    flag: "days",
    help: "Number of days to reconcile. Stripe keeps events for 30 days."
  }),
  taskId: makeSetting("tasks retry").optional(SettingType.text("<task-id>", 36), "none; --all is required", {
    positional: "task-id",
    help: "The task ID from tasks list."
  }),
  all: makeSetting("tasks retry").toggled({
    flag: "all",
    help: "Retry every failed task."
  }),
  at: makeSetting("agent preview").optional(SettingType.instant, "now", {
    flag: "at",
    help: "Preview what the agent would do at this time, based on the current bookings."
  }),
  keyRingId: makeSetting("secrets generate").withDefault(SettingType.encryptionKeyId, "k1", {
    flag: "key-id",
    help: "The key ID, which must be unique within the database."
  }),
  topic: makeSetting("help").optional(SettingType.text("<command>", 40), "all commands", {
    positional: "command",
    help: "The command to explain."
  }),
  markdown: makeSetting("help").toggled({
    flag: "markdown",
    help: "Print the settings reference as Markdown."
  }),
  json: outputSetting.toggled({
    flag: "json",
    help: "Print the result as one JSON value."
  })
} as const satisfies Record<string, Setting<unknown>>

type Table = typeof settings

type SettingName = keyof Table

/** A command's settings with their values. */
export type CommandSettings<C extends CommandName> = {
  readonly [Name in SettingName as C extends Table[Name]["commands"][number] ? Name : never]: Table[Name] extends
    Setting<infer A> ? A : never
}

/** Returns a command's settings in table order. */
export const listCommandSettings = (command: CommandName): ReadonlyArray<readonly [SettingName, Setting<unknown>]> =>
  settingEntries.filter(([, { commands }]) => commands.includes(command))

export const settingEntries = Object.entries(settings) as ReadonlyArray<readonly [SettingName, Setting<unknown>]>
