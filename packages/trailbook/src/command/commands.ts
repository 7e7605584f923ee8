import type { CommandName } from "../setting/Setting.ts"
import type { Command } from "./Command.ts"

const database = "--database sqlite:trailbook.sqlite"

/**
 * Every command, in the order of the help.
 *
 * @category commands
 */
export const commands: { readonly [Name in CommandName]: Command & { readonly name: Name } } = {
  demo: {
    name: "demo",
    summary: "Make up an outfitter with guests and bookings, and serve it.",
    examples: [
      {
        line: "trailbook demo",
        does: "in ./.trailbook, kept for the next start, which adds the weeks since"
      },
      { line: "trailbook demo --fresh", does: "a new one, as on the first day" },
      { line: "trailbook demo --port 4001 --seed 8", does: "another outfitter's bookings on another port" }
    ]
  },
  serve: {
    name: "serve",
    summary: "Serve the API for a database, which is made or brought up to date first.",
    examples: [
      { line: `trailbook serve ${database}`, does: "on http://127.0.0.1:4000" },
      {
        line: `trailbook serve ${database} --host 0.0.0.0 --port 80 --public-url https://book.example.com`,
        does: "open to the network, behind the name that guests know"
      }
    ]
  },
  worker: {
    name: "worker",
    summary: "Do what runs by itself: events to webhooks, mails, refunds, holds that ran out.",
    examples: [
      { line: `trailbook worker ${database}`, does: "beside servers that were started with --worker off" },
      { line: `trailbook worker ${database} --once`, does: "what is due now, and says what that was" }
    ]
  },
  mcp: {
    name: "mcp",
    summary: "Connect an assistant over standard input and output, to a database or to a server elsewhere.",
    examples: [
      {
        line: `trailbook mcp ${database} --org salida-river-co`,
        does: "for a client on this machine; see docs/how-to"
      },
      {
        line: "trailbook mcp --url https://book.example.com",
        does: "to a server, with the key in TRAILBOOK_KEY, which other users of the machine do not see"
      },
      { line: `trailbook mcp ${database} --read-only --toolsets bookings`, does: "an assistant that may only look" }
    ]
  },
  migrate: {
    name: "migrate",
    summary: "Make a database or bring its tables up to date, and say what that took.",
    examples: [
      { line: `trailbook migrate ${database}`, does: "safe to repeat" },
      { line: `trailbook migrate ${database} --print`, does: "the SQL of what is missing, for a tool of your own" },
      { line: `trailbook migrate ${database} --check`, does: "ends with 1 when something is missing; for CI" }
    ]
  },
  backup: {
    name: "backup",
    summary: "Copy a SQLite database into a file while it is served, and check the copy.",
    examples: [
      { line: `trailbook backup ${database} backups/monday.sqlite`, does: "writes over nothing; for cron or a timer" }
    ]
  },
  restore: {
    name: "restore",
    summary: "Put a backup in the place of a SQLite database, all at once.",
    examples: [
      { line: `trailbook restore ${database} backups/monday.sqlite`, does: "where there is none yet" },
      {
        line: `trailbook restore ${database} backups/monday.sqlite --replace`,
        does: "in place of one that nobody has open, which is kept beside it"
      }
    ]
  },
  "org create": {
    name: "org create",
    summary: "Open an outfitter's account and print its first API key, this one time.",
    examples: [
      {
        line: `trailbook org create ${database} --name "Salida River Co." --timezone America/Denver`,
        does: "also while a server runs on the database"
      },
      {
        line: `trailbook org create ${database} --name "Ann's Kayaks" --timezone UTC --email ann@example.com`,
        does: "with a person who gets a mail when a guest writes"
      },
      {
        line: `trailbook org create ${database} --name "Ann's Kayaks" --timezone UTC --owner ann@example.com`,
        does: "with an owner, and the first link to sign in with"
      },
      {
        line: `trailbook org create ${database} --name Nordfjord --timezone Europe/Oslo --currency nok --json`,
        does: "for a script: {\"org_id\", \"slug\", \"api_key\"}"
      }
    ]
  },
  "org list": {
    name: "org list",
    summary: "List the outfitters of a database.",
    examples: [{ line: `trailbook org list ${database}`, does: "oldest first; the slug is what --org takes" }]
  },
  "staff add": {
    name: "staff add",
    summary: "Add a person to an outfitter's staff, or change one who is there.",
    examples: [
      {
        line: `trailbook staff add ${database} --org salida-river-co --email ann@example.com --name Ann`,
        does: "who gets a mail when a guest writes"
      },
      {
        line: `trailbook staff add ${database} --org salida-river-co --email ann@example.com --no-notify`,
        does: "who gets none any more"
      },
      {
        line: `trailbook staff add ${database} --org salida-river-co --email ann@example.com --role owner --link`,
        does: "as an owner, with a link to sign in with"
      }
    ]
  },
  "staff list": {
    name: "staff list",
    summary: "List an outfitter's staff and who gets a mail when a guest writes.",
    examples: [{ line: `trailbook staff list ${database} --org salida-river-co`, does: "oldest first" }]
  },
  "staff remove": {
    name: "staff remove",
    summary: "Remove a person from an outfitter's staff; nothing about them is kept.",
    examples: [
      {
        line: `trailbook staff remove ${database} --org salida-river-co --email ann@example.com`,
        does: "cannot be undone"
      }
    ]
  },
  "keys create": {
    name: "keys create",
    summary: "Make an API key and print it, this one time.",
    examples: [
      { line: `trailbook keys create ${database} --org salida-river-co --name Website`, does: "may do everything" },
      {
        line: `trailbook keys create ${database} --org salida-river-co --scopes read --expires 2027-12-31T23:59Z`,
        does: "may read until the end of 2027"
      }
    ]
  },
  "keys list": {
    name: "keys list",
    summary: "List an outfitter's API keys without their secrets.",
    examples: [{ line: `trailbook keys list ${database} --org salida-river-co`, does: "oldest first" }]
  },
  "keys revoke": {
    name: "keys revoke",
    summary: "Revoke an API key: from the next request on it opens nothing.",
    examples: [
      { line: `trailbook keys revoke ${database} --org salida-river-co 4fYk0aZ91LsQ`, does: "cannot be undone" }
    ]
  },
  "webhooks list": {
    name: "webhooks list",
    summary: "List an outfitter's webhooks and whether each is delivered to.",
    examples: [{ line: `trailbook webhooks list ${database} --org salida-river-co`, does: "oldest first" }]
  },
  "webhooks tail": {
    name: "webhooks tail",
    summary: "Print an outfitter's events as they happen, one line of JSON each, until Ctrl-C.",
    examples: [
      { line: `trailbook webhooks tail ${database} --org salida-river-co`, does: "from now on" },
      {
        line: `trailbook webhooks tail ${database} --org salida-river-co --after 0 --type booking.confirmed`,
        does: "all confirmations there ever were, and those to come"
      }
    ]
  },
  "webhooks test": {
    name: "webhooks test",
    summary: "Send a signed event of type webhook.test to a webhook now, and say what it answered.",
    examples: [
      {
        line: `trailbook webhooks test ${database} --org salida-river-co 01a1d5a3-2000-7036-bee5-11d0a8ac712c`,
        does: "ends with 1 unless it answers 2xx; changes nothing"
      }
    ]
  },
  "webhooks replay": {
    name: "webhooks replay",
    summary: "Have a webhook go on from an event, so that it gets that and all after it again.",
    examples: [
      {
        line:
          `trailbook webhooks replay ${database} --org salida-river-co 01a1d5a3-2000-7036-bee5-11d0a8ac712c --from 44`,
        does: "after a receiver lost what it had"
      }
    ]
  },
  "payments connect": {
    name: "payments connect",
    summary: "Take an outfitter's payments online with an account of Stripe.",
    examples: [
      {
        line:
          `trailbook payments connect ${database} --payment-key sk_test_4eC39H --public-url https://book.example.com`,
        does: "with the key in TRAILBOOK_PAYMENT_KEY; Stripe sends its notices to that address"
      }
    ]
  },
  "payments disconnect": {
    name: "payments disconnect",
    summary: "Take no more payments; what has to go back still goes back.",
    examples: [{
      line: `trailbook payments disconnect ${database} --org salida-river-co`,
      does: "from the next booking on"
    }]
  },
  "payments status": {
    name: "payments status",
    summary: "Show where an outfitter takes payments, and up to when all that happened there is known.",
    examples: [{
      line: `trailbook payments status ${database} --org salida-river-co`,
      does: "disconnected accounts too"
    }]
  },
  "payments reconcile": {
    name: "payments reconcile",
    summary: "Look at what happened at the provider and settle what was missed.",
    examples: [
      { line: `trailbook payments reconcile ${database} --org salida-river-co --days 7`, does: "safe to repeat" }
    ]
  },
  "tasks list": {
    name: "tasks list",
    summary: "List the mails and refunds that were given up, or have failed for a day.",
    examples: [
      {
        line: `trailbook tasks list ${database}`,
        does: "those of all outfitters; what was given up is kept for 30 days"
      },
      { line: `trailbook tasks list ${database} --org salida-river-co`, does: "those of one" }
    ]
  },
  "tasks retry": {
    name: "tasks retry",
    summary: "Start a mail or a refund that has failed again: it is due now and tried as if it were new.",
    examples: [
      {
        line: `trailbook tasks retry ${database} 01a1d5a3-2000-7036-bee5-11d0a8ac712c`,
        does: "the one with this id, as tasks list shows it"
      },
      { line: `trailbook tasks retry ${database} --all`, does: "all that tasks list shows" }
    ]
  },
  "agent preview": {
    name: "agent preview",
    summary: "Say what the ops agent would propose and why, whatever its dials; nothing is written or done.",
    examples: [
      { line: `trailbook agent preview ${database} --forecast open-meteo --gauges usgs`, does: "as things are now" },
      {
        line: `trailbook agent preview ${database} --org salida-river-co --at 2027-05-01T06:00:00-06:00`,
        does: "as it would be at that moment, with the bookings of now"
      }
    ]
  },
  "secrets generate": {
    name: "secrets generate",
    summary: "Make a key to seal secrets with, for TRAILBOOK_SECRETS_KEYS.",
    examples: [
      { line: "trailbook secrets generate", does: "k1:<base64>, the same for every process on a database" },
      { line: "trailbook secrets generate --key-id k2", does: "to put in front of k1, when every process knows it" }
    ]
  },
  doctor: {
    name: "doctor",
    summary: "Examine the machine, the settings and a database, and say how to mend what is wrong.",
    examples: [
      {
        line: `trailbook doctor ${database}`,
        does: "ends with 3 when something is wrong; it brings old tables up to date, as a server would"
      }
    ]
  },
  help: {
    name: "help",
    summary: "Explain a command, or print the reference of all settings.",
    examples: [
      { line: "trailbook help keys create", does: "the same as trailbook keys create --help" },
      { line: "trailbook help --markdown", does: "docs/reference/settings.md" }
    ]
  }
}
