/**
 * Everything that can be set, in one table. The flags, the variables, `--help`,
 * `docs/reference/settings.md` and `doctor` are read off it.
 */
import { scopes } from "@trailbook/core/actor/Actor"
import { toolsets } from "@trailbook/core/operation/Operation"
import { plans } from "@trailbook/core/org/Org"
import { roles } from "@trailbook/core/staff/StaffMember"
import { levels } from "../runtime/JsonLog.ts"
import { formats } from "../runtime/readableLog.ts"
import { databaseUrl } from "./databaseUrl.ts"
import { bucketKey, filesPlace } from "./filesPlace.ts"
import * as Mail from "./mail.ts"
import { type CommandName, makeSetting, type Setting } from "./Setting.ts"
import * as Kind from "./SettingType.ts"
import { trustedProxies } from "./trustedProxies.ts"

// Commands in groups, and what makes the settings that these or those know.
const staff = ["staff add", "staff list", "staff remove"] as const
const keys = ["keys create", "keys list", "keys revoke"] as const
const webhooks = ["webhooks list", "webhooks tail", "webhooks test", "webhooks replay"] as const
const payments = ["payments connect", "payments disconnect", "payments status", "payments reconcile"] as const
const tasks = ["tasks list", "tasks retry"] as const
const stored = ["worker", "migrate", "backup", "restore", "org create", "org list", ...staff, ...keys] as const

const serving = makeSetting("demo", "serve")
const listening = makeSetting("demo", "serve", "doctor")
const working = makeSetting("demo", "serve", "worker")
const running = makeSetting("demo", "serve", "worker", "doctor")
/** The demo writes to guests that it made up, so its mails stay in a folder. */
const mailing = makeSetting("serve", "worker", "doctor")
/** Whoever runs operations. */
const drafting = makeSetting("serve", "mcp", "doctor")
/** The demo has recorded weather. */
const watching = makeSetting("serve", "worker", "mcp", "agent preview", "doctor")
const sealing = makeSetting(
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
const assisting = makeSetting("mcp")
const examining = makeSetting("doctor")
const opening = makeSetting("org create")
const adding = makeSetting("staff add")
const keyMaking = makeSetting("keys create")
const connecting = makeSetting("payments connect")
const choosing = makeSetting(...staff, ...keys, ...webhooks, ...payments, "agent preview")
const answering = makeSetting(
  "demo",
  "serve",
  ...stored,
  "webhooks list",
  "webhooks test",
  "webhooks replay",
  ...payments,
  ...tasks,
  "agent preview",
  "doctor"
)
const database = { env: ["TRAILBOOK_DATABASE", "DATABASE_URL"] } as const

/**
 * @category settings
 */
export const settings = {
  database: makeSetting("serve", ...stored, ...webhooks, ...payments, ...tasks, "agent preview").required(databaseUrl, {
    ...database,
    help: "Where the data is."
  }),
  backupFile: makeSetting("backup", "restore").required(Kind.file, {
    positional: "file",
    help: "The file of the backup."
  }),
  replace: makeSetting("restore").toggled({
    flag: "replace",
    help: "Whether the backup may take the place of a database that is there; that one is kept beside it."
  }),
  check: makeSetting("migrate").toggled({
    flag: "check",
    help: "Only whether the tables are up to date: it changes nothing, and ends with 1 when they are not."
  }),
  print: makeSetting("migrate").toggled({
    flag: "print",
    help: "Only the SQL that would be run, for another tool to run in one transaction."
  }),
  examinedDatabase: examining.optional(databaseUrl, "only the rest is examined", {
    ...database,
    help: "The database to examine."
  }),
  askPayments: examining.toggled({
    flag: "ask-payments",
    help: "Also ask the payment providers of connected accounts who these are; nothing is charged."
  }),
  assistedDatabase: assisting.optional(databaseUrl, "the server of --url", {
    ...database,
    help: "The database that the assistant works on; --url, when given, wins."
  }),
  url: assisting.optional(Kind.siteUrl, "the database of --database", {
    env: ["TRAILBOOK_URL"],
    help: "The address of the server that the assistant works on, as --public-url says it."
  }),
  key: assisting.optional(Kind.apiKey, "everything is allowed on a database; a server asks for one", {
    env: ["TRAILBOOK_KEY"],
    help: "The API key that the assistant acts with."
  }),
  toolsets: assisting.withDefault(Kind.choices(...toolsets), toolsets, {
    env: ["TRAILBOOK_TOOLSETS"],
    help: "The groups of tools that the assistant sees."
  }),
  readOnly: assisting.toggled({
    env: ["TRAILBOOK_READ_ONLY"],
    help: "Only tools that change nothing."
  }),
  schemas: assisting.withDefault(Kind.choice("lean", "full"), "lean", {
    env: ["TRAILBOOK_SCHEMAS"],
    help: "Whether tools also describe their results, which makes the list about five times as long."
  }),
  host: listening.withDefault(Kind.host, "127.0.0.1", {
    env: ["TRAILBOOK_HOST"],
    help: "The address to listen on; 0.0.0.0 opens the server to the network."
  }),
  port: listening.withDefault(Kind.integer(0, 65_535), 4000, {
    env: ["TRAILBOOK_PORT", "PORT"],
    help: "The port to listen on; 0 takes any that is free."
  }),
  publicUrl: serving.optional(Kind.siteUrl, "the address that is listened on", {
    env: ["TRAILBOOK_PUBLIC_URL"],
    help: "The address that guests and assistants reach the service at; links in mails begin with it."
  }),
  workerPublicUrl: makeSetting("worker", "org create", "staff add").withDefault(Kind.siteUrl, "http://127.0.0.1:4000", {
    env: ["TRAILBOOK_PUBLIC_URL"],
    help: "The address that guests reach the service at; links in mails begin with it."
  }),
  rateLimitPerSecond: serving.withDefault(Kind.integer(0, 1_000_000), 100, {
    env: ["TRAILBOOK_RATE_LIMIT"],
    help: "Requests a second of one key, twice as many at once; long answers count more. 0: no limit."
  }),
  maxConnections: serving.withDefault(Kind.integer(1, 1_000_000), 900, {
    env: ["TRAILBOOK_MAX_CONNECTIONS"],
    help: "The connections that may be open. At the limit the oldest idle one is closed."
  }),
  trustProxy: serving.optional(trustedProxies, "none; whoever connects is who asks", {
    env: ["TRAILBOOK_TRUST_PROXY"],
    help: "The proxies whose X-Forwarded-For says who asks: pages and wrong keys are limited by it."
  }),
  outbox: running.optional(Kind.folder, "the folder outbox beside the database", {
    env: ["TRAILBOOK_OUTBOX"],
    help: "The folder that mails to guests are written to, one file each."
  }),
  files: running.optional(filesPlace, "the folder files beside the database", {
    env: ["TRAILBOOK_FILES"],
    help: "Where the files of messages are: a folder, or a bucket that speaks S3."
  }),
  filesRegion: running.withDefault(Kind.text("<region>", 60), "auto", {
    env: ["TRAILBOOK_FILES_REGION"],
    help: "The region of the bucket of --files, as its provider calls it."
  }),
  filesKey: running.optional(bucketKey, "a bucket needs one", {
    env: ["TRAILBOOK_FILES_KEY"],
    help: "The key of the bucket of --files. Better set the variable."
  }),
  filesMinFreeMb: running.withDefault(Kind.integer(0, 1_000_000_000), 500, {
    env: ["TRAILBOOK_FILES_MIN_FREE_MB"],
    help: "Megabytes that files leave free on the disk of a folder. 0 disables the check."
  }),
  guestMessagesPerDay: serving.withDefault(Kind.integer(1, 1_000_000), 50, {
    env: ["TRAILBOOK_GUEST_MESSAGES_PER_DAY"],
    help: "Messages from the page of one booking in 24 hours; 20 times as many per outfitter."
  }),
  guestFilesMbPerDay: serving.withDefault(Kind.integer(1, 1_000_000), 100, {
    env: ["TRAILBOOK_GUEST_FILES_MB_PER_DAY"],
    help: "Megabytes of files from the page of one booking in 24 hours; 20 times that per outfitter."
  }),
  mailFrom: running.withDefault(Kind.email, "bookings@localhost", {
    env: ["TRAILBOOK_MAIL_FROM"],
    help: "The address that mails to guests come from, beside the outfitter's name."
  }),
  smtpUrl: mailing.optional(Mail.smtp, "mails are written to the folder of --outbox", {
    env: ["TRAILBOOK_SMTP_URL"],
    help: "The mail server that mails leave by. It may hold a password: better set the variable."
  }),
  replyDomain: mailing.optional(Mail.domain, "none: guests cannot answer by mail", {
    env: ["TRAILBOOK_REPLY_DOMAIN"],
    help: "The domain of the addresses that answers and delivery reports come to."
  }),
  dkimKey: mailing.optional(Kind.file, "the mail server signs, or nobody", {
    env: ["TRAILBOOK_DKIM_KEY"],
    help: "A PEM file: the private key that mails of --mail-from's domain are signed with."
  }),
  dkimSelector: mailing.withDefault(Mail.selector, "trailbook", {
    env: ["TRAILBOOK_DKIM_SELECTOR"],
    help: "What the public key is called in the DNS: <selector>._domainkey.<domain>."
  }),
  mailListen: mailing.optional(Mail.mailListen, "no mail server hands mail over", {
    env: ["TRAILBOOK_MAIL_LISTEN"],
    help: "Where mail is taken in: lmtp behind a mail server of yours, smtp from the world."
  }),
  mailCertificate: mailing.optional(Kind.file, "mail comes in without encryption", {
    env: ["TRAILBOOK_MAIL_CERTIFICATE"],
    help: "A PEM file: certificate and private key that --mail-listen offers STARTTLS with."
  }),
  mailInSecret: makeSetting("serve", "doctor").optional(Mail.pathSecret, "no provider hands mail over", {
    env: ["TRAILBOOK_MAIL_IN_SECRET"],
    help: "The end of the address that a provider posts mails to: <public URL>/mail/in/<secret>."
  }),
  draftsUrl: drafting.optional(Kind.siteUrl, "replies are not drafted", {
    env: ["TRAILBOOK_DRAFTS_URL"],
    help: "A language model that drafts replies: an OpenAI-compatible address. It is sent messages."
  }),
  draftsModel: drafting.optional(Kind.text("<model>", 200), "--drafts-url needs one", {
    env: ["TRAILBOOK_DRAFTS_MODEL"],
    help: "The model at --drafts-url, as the service calls it."
  }),
  draftsKey: drafting.optional(Mail.serviceKey, "the service asks for none", {
    env: ["TRAILBOOK_DRAFTS_KEY"],
    help: "The key of the service at --drafts-url. Better set the variable."
  }),
  forecast: watching.withDefault(Kind.choice("off", "open-meteo", "nws"), "off", {
    env: ["TRAILBOOK_FORECAST"],
    help: "Who is asked for the weather of trips; nws is the National Weather Service of the US."
  }),
  forecastUrl: watching.optional(Kind.siteUrl, "the service's own; with a key the one for customers", {
    env: ["TRAILBOOK_FORECAST_URL"],
    help: "The address that --forecast is asked at."
  }),
  forecastKey: watching.optional(Kind.token, "none; Open-Meteo is free for who earns nothing with it", {
    env: ["TRAILBOOK_FORECAST_KEY"],
    help: "The key of Open-Meteo. Better set the variable."
  }),
  forecastContact: watching.optional(Kind.address, "nothing is said; nws needs it", {
    env: ["TRAILBOOK_FORECAST_CONTACT"],
    help: "Where the services for weather and rivers reach you; sent to them as User-Agent."
  }),
  gauges: watching.withDefault(Kind.choice("off", "usgs"), "off", {
    env: ["TRAILBOOK_GAUGES"],
    help: "Who is asked how high rivers are; usgs is the Geological Survey of the US."
  }),
  gaugesUrl: watching.optional(Kind.siteUrl, "the service's own", {
    env: ["TRAILBOOK_GAUGES_URL"],
    help: "The address that --gauges is asked at."
  }),
  gaugesKey: watching.optional(Kind.token, "none; with one it answers more often", {
    env: ["TRAILBOOK_GAUGES_KEY"],
    help: "The key of --gauges. Better set the variable."
  }),
  logLevel: working.withDefault(Kind.choice(...levels), "info", {
    env: ["TRAILBOOK_LOG_LEVEL"],
    help: "What is logged on stderr; info has a line for every request."
  }),
  logFormat: working.withDefault(Kind.choice(...formats), "auto", {
    env: ["TRAILBOOK_LOG_FORMAT"],
    help: "How it is logged: auto is text at a terminal, else json."
  }),
  shutdownGraceSeconds: working.withDefault(Kind.integer(1, 600), 10, {
    env: ["TRAILBOOK_SHUTDOWN_GRACE_SECONDS"],
    help: "How long requests and deliveries under way may take after SIGTERM or Ctrl-C."
  }),
  worker: serving.withDefault(Kind.choice("on", "off"), "on", {
    env: ["TRAILBOOK_WORKER"],
    help: "Whether webhooks, mails and refunds leave from here; off leaves them to trailbook worker."
  }),
  secretsKeys: sealing.optional(
    Kind.secretsKeys,
    "a file beside the database, made when it is not there; on Postgres required",
    {
      env: ["TRAILBOOK_SECRETS_KEYS"],
      help: "Seals webhook and account secrets: the first key seals, all open. Better set the variable."
    }
  ),
  webhookAllow: makeSetting("demo", "serve", "worker", "mcp", "webhooks test").optional(Kind.networks, "none", {
    env: ["TRAILBOOK_WEBHOOK_ALLOW"],
    help: "Networks that webhooks may lead to although they are not public; over http, too."
  }),
  fresh: makeSetting("demo").toggled({
    flag: "fresh",
    help: "Start over: deletes what the demo wrote into ./.trailbook. It asks nothing."
  }),
  seed: makeSetting("demo").withDefault(Kind.integer(0, 4_294_967_295), 7, {
    env: ["TRAILBOOK_SEED"],
    help: "Which outfitter is made up; the same number makes the same one on the same day."
  }),
  orgName: opening.required(Kind.text("<name>", 80), {
    flag: "name",
    help: "The outfitter's name; its booking page is named after it."
  }),
  timezone: opening.required(Kind.timeZone, {
    flag: "timezone",
    help: "The time zone of the outfitter's hours and dates."
  }),
  plan: opening.withDefault(Kind.choice(...plans), "free", {
    flag: "plan",
    help: "The outfitter's plan; pro takes payment when booking."
  }),
  currency: opening.withDefault(Kind.currency, "usd", {
    flag: "currency",
    help: "The currency of the outfitter's prices."
  }),
  firstEmail: opening.optional(Kind.address, "nobody; staff add adds people", {
    flag: "email",
    help: "The first of the staff, who gets a mail when a guest writes."
  }),
  owner: opening.optional(Kind.address, "nobody; staff add --role owner makes one", {
    flag: "owner",
    help: "The owner, who gets the first link to sign in with, printed here, and a mail when a guest writes."
  }),
  role: adding.optional(Kind.choice(...roles), "the role they have, or staff", {
    flag: "role",
    help: "What they may do: an owner also decides who is in and what is connected."
  }),
  link: adding.toggled({
    flag: "link",
    help: "Print a link that signs the person in, once, in the next 15 minutes."
  }),
  org: choosing.optional(Kind.text("<org>", 80), "the only one of the database", {
    flag: "org",
    help: "The outfitter, by slug or id, as org list shows it."
  }),
  taskOrg: makeSetting(...tasks).optional(Kind.text("<org>", 80), "all of the database", {
    flag: "org",
    help: "The outfitter whose tasks are meant, by slug or id."
  }),
  assistedOrg: assisting.optional(Kind.text("<org>", 80), "the only one of the database, or that of the key", {
    flag: "org",
    help: "The outfitter that the assistant works for, by slug or id."
  }),
  memberEmail: makeSetting("staff add", "staff remove").required(Kind.address, {
    flag: "email",
    help: "The person's e-mail address."
  }),
  memberName: adding.optional(Kind.text("<name>", 120), "the name they have, or none", {
    flag: "name",
    help: "The person's name."
  }),
  notify: adding.toggled({
    flag: "notify",
    help: "Send a mail when a guest writes; new people get one unless told otherwise."
  }),
  noNotify: adding.toggled({
    flag: "no-notify",
    help: "Send no mail when a guest writes."
  }),
  keyName: keyMaking.withDefault(Kind.text("<name>", 80), "Command line", {
    flag: "name",
    help: "What the key is for, to know it by in the list."
  }),
  scopes: keyMaking.withDefault(Kind.choices(...scopes), scopes, {
    flag: "scopes",
    help: "What the key may do; admin covers the outfitter's settings and the export."
  }),
  expires: keyMaking.optional(Kind.instant, "never", {
    flag: "expires",
    help: "When the key stops working."
  }),
  test: keyMaking.toggled({
    flag: "test",
    help: "Make the key a tb_test_ one, to tell it from those in earnest."
  }),
  keyId: makeSetting("keys revoke").required(Kind.text("<key-id>", 12), {
    positional: "key-id",
    help: "The key's id, as keys list shows it."
  }),
  once: makeSetting("worker").toggled({
    flag: "once",
    help: "Do what is due, say what that was, and end."
  }),
  webhookId: makeSetting("webhooks test", "webhooks replay").required(Kind.text("<webhook-id>", 36), {
    positional: "webhook-id",
    help: "The webhook's id, as webhooks list shows it."
  }),
  from: makeSetting("webhooks replay").required(Kind.integer(1, 999_999_999_999_999), {
    flag: "from",
    help: "The id of the event to go on from, whatever was delivered before."
  }),
  after: makeSetting("webhooks tail").optional(Kind.integer(0, 999_999_999_999_999), "the newest event of now", {
    flag: "after",
    help: "The id of the event after which to begin; 0 is the beginning."
  }),
  eventType: makeSetting("webhooks tail").optional(Kind.text("<type>", 60), "all", {
    flag: "type",
    help: "The one type of event to print, such as booking.confirmed."
  }),
  paymentKey: connecting.required(Kind.text("<key>", 300), {
    env: ["TRAILBOOK_PAYMENT_KEY"],
    help: "The secret key of the account at Stripe. Better set the variable."
  }),
  noticesUrl: connecting.optional(Kind.siteUrl, "none; then what happened is found by looking, within ten minutes", {
    env: ["TRAILBOOK_PUBLIC_URL"],
    help: "The address that guests reach the service at, where Stripe sends its notices to; https."
  }),
  paymentAccount: connecting.optional(Kind.text("<account>", 120), "that of the key", {
    flag: "account",
    help: "The account that a platform's key acts for, such as acct_1PgafTB1k0eVxQ2v."
  }),
  noticeSecret: connecting.optional(
    Kind.text("<secret>", 300),
    "Stripe is told the address, and says what it signs with",
    {
      env: ["TRAILBOOK_PAYMENT_NOTICE_SECRET"],
      help: "What Stripe signs its notices with, where their address was entered there by hand."
    }
  ),
  reconciledDays: makeSetting("payments reconcile").withDefault(Kind.integer(1, 30), 30, {
    flag: "days",
    help: "How far back to look; Stripe shows 30 days."
  }),
  taskId: makeSetting("tasks retry").optional(Kind.text("<task-id>", 36), "none; then --all is needed", {
    positional: "task-id",
    help: "The task's id, as tasks list shows it."
  }),
  all: makeSetting("tasks retry").toggled({
    flag: "all",
    help: "All that tasks list shows."
  }),
  at: makeSetting("agent preview").optional(Kind.instant, "now", {
    flag: "at",
    help: "The moment to look from; what is booked is as it is now."
  }),
  keyRingId: makeSetting("secrets generate").withDefault(Kind.keyId, "k1", {
    flag: "key-id",
    help: "What to call the key; a second one needs another name."
  }),
  topic: makeSetting("help").optional(Kind.text("<command>", 40), "all commands", {
    positional: "command",
    help: "The command to explain."
  }),
  markdown: makeSetting("help").toggled({
    flag: "markdown",
    help: "Print the reference of all settings as Markdown."
  }),
  json: answering.toggled({
    flag: "json",
    help: "Print the answer as one JSON value."
  })
} as const satisfies Record<string, Setting<unknown>>

type Table = typeof settings

/**
 * @category models
 */
export type SettingName = keyof Table

/**
 * The settings of a command with their values.
 *
 * @category models
 */
export type CommandSettings<C extends CommandName> = {
  readonly [Name in SettingName as C extends Table[Name]["commands"][number] ? Name : never]: Table[Name] extends
    Setting<infer A> ? A : never
}

/**
 * The rows of the table that a command knows, in the order of the table.
 *
 * @category getters
 */
export const commandSettings = (command: CommandName): ReadonlyArray<readonly [SettingName, Setting<unknown>]> =>
  rows.filter(([, { commands }]) => commands.includes(command))

/**
 * @category getters
 */
export const rows = Object.entries(settings) as ReadonlyArray<readonly [SettingName, Setting<unknown>]>
