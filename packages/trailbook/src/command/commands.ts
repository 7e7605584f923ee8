import type { CommandName } from "../setting/Setting.ts"
import type { Command, Example } from "./Command.ts"

const database = "--database sqlite:trailbook.sqlite"
const ofOrg = `${database} --org salida-river-co`

/**
 * Every command, in the order of the help.
 *
 * @category commands
 */
export const commands: Readonly<Record<CommandName, Command>> = {
  demo: {
    summary: "Make up an outfitter with guests and bookings, and serve it.",
    examples: [
      ["", "in ./.trailbook, kept for the next start, which adds the weeks since"],
      ["--fresh", "a new one, as on the first day"],
      ["--port 4001 --seed 8", "another outfitter's bookings on another port"]
    ]
  },
  serve: {
    summary: "Serve the API for a database, which is made or brought up to date first.",
    examples: [
      [database, "on http://127.0.0.1:4000"],
      [
        `${database} --host 0.0.0.0 --port 80 --public-url https://book.example.com`,
        "open to the network, behind the name that guests know"
      ]
    ]
  },
  worker: {
    summary: "Do what runs by itself: events to webhooks, mails, refunds, holds that ran out.",
    examples: [
      [database, "beside servers that were started with --worker off"],
      [`${database} --once`, "what is due now, and says what that was"]
    ]
  },
  mcp: {
    summary: "Connect an assistant over standard input and output, to a database or to a server elsewhere.",
    examples: [
      [ofOrg, "for a client on this machine; see docs/how-to"],
      [
        "--url https://book.example.com",
        "to a server, with the key in TRAILBOOK_KEY, which other users of the machine do not see"
      ],
      [`${database} --read-only --toolsets bookings`, "an assistant that may only look"]
    ]
  },
  migrate: {
    summary: "Make a database or bring its tables up to date, and say what that took.",
    examples: [
      [database, "safe to repeat"],
      [`${database} --print`, "the SQL of what is missing, for a tool of your own"],
      [`${database} --check`, "ends with 1 when something is missing; for CI"]
    ]
  },
  backup: {
    summary: "Copy a SQLite database into a file while it is served, and check the copy.",
    examples: [[`${database} backups/monday.sqlite`, "writes over nothing; for cron or a timer"]]
  },
  restore: {
    summary: "Put a backup in the place of a SQLite database, all at once.",
    examples: [
      [`${database} backups/monday.sqlite`, "where there is none yet"],
      [`${database} backups/monday.sqlite --replace`, "in place of one that nobody has open, which is kept beside it"]
    ]
  },
  "org create": {
    summary: "Open an outfitter's account and print its first API key, this one time.",
    examples: [
      [`${database} --name "Salida River Co." --timezone America/Denver`, "also while a server runs on the database"],
      [
        `${database} --name "Ann's Kayaks" --timezone UTC --email ann@example.com`,
        "with a person who gets a mail when a guest writes"
      ],
      [
        `${database} --name "Ann's Kayaks" --timezone UTC --owner ann@example.com`,
        "with an owner, and the first link to sign in with"
      ],
      [
        `${database} --name Nordfjord --timezone Europe/Oslo --currency nok --json`,
        "for a script: {\"org_id\", \"slug\", \"api_key\"}"
      ]
    ]
  },
  "org list": {
    summary: "List the outfitters of a database.",
    examples: [[database, "oldest first; the slug is what --org takes"]]
  },
  "staff add": {
    summary: "Add a person to an outfitter's staff, or change one who is there.",
    examples: [
      [`${ofOrg} --email ann@example.com --name Ann`, "who gets a mail when a guest writes"],
      [`${ofOrg} --email ann@example.com --no-notify`, "who gets none any more"],
      [`${ofOrg} --email ann@example.com --role owner --link`, "as an owner, with a link to sign in with"]
    ]
  },
  "staff list": {
    summary: "List an outfitter's staff and who gets a mail when a guest writes.",
    examples: [[ofOrg, "oldest first"]]
  },
  "staff remove": {
    summary: "Remove a person from an outfitter's staff; nothing about them is kept.",
    examples: [[`${ofOrg} --email ann@example.com`, "cannot be undone"]]
  },
  "keys create": {
    summary: "Make an API key and print it, this one time.",
    examples: [
      [`${ofOrg} --name Website`, "may do everything"],
      [`${ofOrg} --scopes read --expires 2027-12-31T23:59Z`, "may read until the end of 2027"]
    ]
  },
  "keys list": {
    summary: "List an outfitter's API keys without their secrets.",
    examples: [[ofOrg, "oldest first"]]
  },
  "keys revoke": {
    summary: "Revoke an API key: from the next request on it opens nothing.",
    examples: [[`${ofOrg} 4fYk0aZ91LsQ`, "cannot be undone"]]
  },
  "webhooks list": {
    summary: "List an outfitter's webhooks and whether each is delivered to.",
    examples: [[ofOrg, "oldest first"]]
  },
  "webhooks tail": {
    summary: "Print an outfitter's events as they happen, one line of JSON each, until Ctrl-C.",
    examples: [
      [ofOrg, "from now on"],
      [`${ofOrg} --after 0 --type booking.confirmed`, "all confirmations there ever were, and those to come"]
    ]
  },
  "webhooks test": {
    summary: "Send a signed event of type webhook.test to a webhook now, and say what it answered.",
    examples: [[`${ofOrg} 01a1d5a3-2000-7036-bee5-11d0a8ac712c`, "ends with 1 unless it answers 2xx; changes nothing"]]
  },
  "webhooks replay": {
    summary: "Have a webhook go on from an event, so that it gets that and all after it again.",
    examples: [[`${ofOrg} 01a1d5a3-2000-7036-bee5-11d0a8ac712c --from 44`, "after a receiver lost what it had"]]
  },
  "payments connect": {
    summary: "Take an outfitter's payments online with an account of Stripe.",
    examples: [
      [
        `${database} --payment-key sk_test_4eC39H --public-url https://book.example.com`,
        "with the key in TRAILBOOK_PAYMENT_KEY; Stripe sends its notices to that address"
      ]
    ]
  },
  "payments disconnect": {
    summary: "Take no more payments; what has to go back still goes back.",
    examples: [[ofOrg, "from the next booking on"]]
  },
  "payments status": {
    summary: "Show where an outfitter takes payments, and up to when all that happened there is known.",
    examples: [[ofOrg, "disconnected accounts too"]]
  },
  "payments reconcile": {
    summary: "Look at what happened at the provider and settle what was missed.",
    examples: [[`${ofOrg} --days 7`, "safe to repeat"]]
  },
  "tasks list": {
    summary: "List the mails and refunds that were given up, or have failed for a day.",
    examples: [
      [database, "those of all outfitters; what was given up is kept for 30 days"],
      [ofOrg, "those of one"]
    ]
  },
  "tasks retry": {
    summary: "Start a mail or a refund that has failed again: it is due now and tried as if it were new.",
    examples: [
      [`${database} 01a1d5a3-2000-7036-bee5-11d0a8ac712c`, "the one with this id, as tasks list shows it"],
      [`${database} --all`, "all that tasks list shows"]
    ]
  },
  "agent preview": {
    summary: "Say what the ops agent would propose and why, whatever its dials; nothing is written or done.",
    examples: [
      [`${database} --forecast open-meteo --gauges usgs`, "as things are now"],
      [`${ofOrg} --at 2027-05-01T06:00:00-06:00`, "as it would be at that moment, with the bookings of now"]
    ]
  },
  "secrets generate": {
    summary: "Make a key to seal secrets with, for TRAILBOOK_SECRETS_KEYS.",
    examples: [
      ["", "k1:<base64>, the same for every process on a database"],
      ["--key-id k2", "to put in front of k1, when every process knows it"]
    ]
  },
  doctor: {
    summary: "Examine the machine, the settings and a database, and say how to mend what is wrong.",
    examples: [[database, "ends with 3 when something is wrong; it brings old tables up to date, as a server would"]]
  },
  help: {
    summary: "Explain a command, or print the reference of all settings.",
    examples: [
      ["keys create", "the same as trailbook keys create --help"],
      ["--markdown", "docs/reference/settings.md"]
    ]
  }
}

/**
 * The examples of a command, as they are typed.
 *
 * @category getters
 */
export const commandExamples = (name: CommandName): ReadonlyArray<Example> =>
  commands[name].examples.map(([rest, does]) => ({ line: `trailbook ${name} ${rest}`.trimEnd(), does }))
