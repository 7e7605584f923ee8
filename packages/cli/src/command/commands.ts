import type { CommandName } from "@trailbook/server/setting/Setting"
import type { Command, CommandExample } from "./Command.ts"

const database = "--database sqlite:trailbook.sqlite"
const databaseAndOrg = `${database} --org salida-river-co`

/** All commands, in the order of `--help`. */
export const commands: Readonly<Record<CommandName, Command>> = {
  demo: {
    summary: "Start a demo server with a generated outfitter, guests, and bookings.",
    examples: [
      ["", "stores data in ./.trailbook and adds new sessions and bookings at each start"],
      ["--fresh", "deletes the data and starts over"],
      ["--port 4001 --seed 8", "starts a demo with different data on another port"]
    ]
  },
  serve: {
    summary: "Create or migrate the database, then start the server.",
    examples: [
      [database, "listens on http://127.0.0.1:4000"],
      [
        `${database} --host 0.0.0.0 --port 80 --public-url https://book.example.com`,
        "listens on all network interfaces and uses the public URL in links"
      ]
    ]
  },
  worker: {
    summary: "Run background jobs: webhooks, email, refunds, expired holds, and the ops agent.",
    examples: [
      [database, "runs the jobs for servers started with --worker off"],
      [`${database} --once`, "runs all due jobs, prints a summary, and exits"]
    ]
  },
  mcp: {
    summary: "Start an MCP server over stdio for a local database or a remote server.",
    examples: [
      [databaseAndOrg, "serves a client on this machine; see docs/how-to/connect-an-assistant.md"],
      [
        "--url https://book.example.com",
        "connects to a remote server; set the API key in TRAILBOOK_KEY to hide it from other local users"
      ],
      [`${database} --read-only --toolsets bookings`, "offers read-only access to bookings"]
    ]
  },
  migrate: {
    summary: "Create or migrate a database.",
    examples: [
      [database, "safe to run again"],
      [`${database} --print`, "prints the SQL of the pending migrations, to run with another tool"],
      [`${database} --check`, "exits with 1 if migrations are pending; for CI"]
    ]
  },
  backup: {
    summary:
      "Back up a database, even while it is in use, and verify the copy. Postgres requires pg_dump and pg_restore.",
    examples: [
      [`${database} backups/monday.sqlite`, "never overwrites a file; suitable for cron"],
      [
        "--database postgres://db.example/trips backups/monday.dump",
        "connects directly to the server, not through a pooler"
      ]
    ]
  },
  restore: {
    summary: "Atomically restore a database from a backup.",
    examples: [
      [`${database} backups/monday.sqlite`, "creates the database"],
      [
        `${database} backups/monday.sqlite --replace`,
        "replaces a database that is not in use and keeps the old database in the same folder"
      ],
      ["--database postgres://db.example/empty backups/monday.dump", "restores into an existing, empty database"]
    ]
  },
  "org create": {
    summary: "Create an outfitter and an API key, which is printed only once.",
    examples: [
      [`${database} --name "Salida River Co." --timezone America/Denver`, "safe while a server is using the database"],
      [
        `${database} --name "Ann's Kayaks" --timezone UTC --email ann@example.com`,
        "adds a staff member who is notified of guest messages"
      ],
      [
        `${database} --name "Ann's Kayaks" --timezone UTC --owner ann@example.com`,
        "adds an owner and prints a sign-in link"
      ],
      [
        `${database} --name Nordfjord --timezone Europe/Oslo --currency nok --json`,
        "for scripts: {\"org_id\", \"slug\", \"api_key\"}"
      ]
    ]
  },
  "org list": {
    summary: "List outfitters.",
    examples: [[database, "lists outfitters, oldest first; pass the slug as --org to other commands"]]
  },
  "org update": {
    summary: "Change an outfitter's plan.",
    examples: [[`${databaseAndOrg} --plan pro`, "bookings require online payment once an account is connected"]]
  },
  "staff add": {
    summary: "Add or update a staff member.",
    examples: [
      [`${databaseAndOrg} --email ann@example.com --name Ann`, "adds a staff member who is notified of guest messages"],
      [`${databaseAndOrg} --email ann@example.com --no-notify`, "turns the notifications off"],
      [`${databaseAndOrg} --email ann@example.com --role owner --link`, "adds an owner and prints a sign-in link"]
    ]
  },
  "staff list": {
    summary: "List staff members with their notification settings.",
    examples: [[databaseAndOrg, "oldest first"]]
  },
  "staff remove": {
    summary: "Remove a staff member and delete their data.",
    examples: [[`${databaseAndOrg} --email ann@example.com`, "cannot be undone"]]
  },
  "keys create": {
    summary: "Create an API key, which is printed only once.",
    examples: [
      [`${databaseAndOrg} --name Website`, "creates a key with all scopes"],
      [
        `${databaseAndOrg} --scopes read --expires 2027-12-31T23:59Z`,
        "creates a read-only key that expires at the end of 2027"
      ]
    ]
  },
  "keys list": {
    summary: "List API keys, without their secrets.",
    examples: [[databaseAndOrg, "oldest first"]]
  },
  "keys revoke": {
    summary: "Revoke an API key immediately.",
    examples: [[`${databaseAndOrg} 4fYk0aZ91LsQ`, "cannot be undone"]]
  },
  "webhooks list": {
    summary: "List webhooks with their delivery status.",
    examples: [[databaseAndOrg, "oldest first"]]
  },
  "webhooks tail": {
    summary: "Stream events as JSON lines until interrupted.",
    examples: [
      [databaseAndOrg, "prints only new events"],
      [`${databaseAndOrg} --after 0 --type booking.confirmed`, "prints all past and new booking confirmations"]
    ]
  },
  "webhooks test": {
    summary: "Send a signed webhook.test event and print the response.",
    examples: [
      [
        `${databaseAndOrg} 01a1d5a3-2000-7036-bee5-11d0a8ac712c`,
        "exits with 1 unless the response is 2xx; changes nothing"
      ]
    ]
  },
  "webhooks replay": {
    summary: "Redeliver events to a webhook, starting with the given event.",
    examples: [[
      `${databaseAndOrg} 01a1d5a3-2000-7036-bee5-11d0a8ac712c --from 44`,
      "redelivers events that the receiver lost"
    ]]
  },
  "payments connect": {
    summary: "Connect an outfitter to a Stripe account.",
    examples: [
      [
        `${database} --payment-key sk_test_4eC39H --public-url https://book.example.com`,
        "use TRAILBOOK_PAYMENT_KEY instead of the flag if possible; Stripe sends its webhooks to the public URL"
      ]
    ]
  },
  "payments disconnect": {
    summary: "Disconnect the payment account. Pending refunds are still processed.",
    examples: [[databaseAndOrg, "takes effect with the next booking"]]
  },
  "payments status": {
    summary: "Show payment accounts and when they were last reconciled.",
    examples: [[databaseAndOrg, "includes disconnected accounts"]]
  },
  "payments reconcile": {
    summary: "Fetch missed payments and refunds from the provider and apply them.",
    examples: [[`${databaseAndOrg} --days 7`, "safe to run again"]]
  },
  "tasks list": {
    summary: "List emails and refunds that failed permanently or have been failing for a day.",
    examples: [
      [database, "lists the tasks of all outfitters; permanent failures are listed for 30 days"],
      [databaseAndOrg, "lists tasks for one outfitter"]
    ]
  },
  "tasks retry": {
    summary: "Retry failed emails or refunds now and reset their attempt counts.",
    examples: [
      [`${database} 01a1d5a3-2000-7036-bee5-11d0a8ac712c`, "retries one task, by its ID from tasks list"],
      [`${database} --all`, "retries all failed tasks"]
    ]
  },
  "agent preview": {
    summary: "Preview what the ops agent would propose, and why. Ignores the dials and changes nothing.",
    examples: [
      [`${database} --forecast open-meteo --gauges usgs`, "previews with current data"],
      [
        `${databaseAndOrg} --at 2027-05-01T06:00:00-06:00`,
        "previews proposals for a different time, based on the current bookings"
      ]
    ]
  },
  "secrets generate": {
    summary: "Generate an encryption key for TRAILBOOK_SECRETS_KEYS.",
    examples: [
      ["", "prints k1:<base64>; use the same key for all processes that share a database"],
      ["--key-id k2", "for key rotation: append k2 in every process first, then move it ahead of k1"]
    ]
  },
  doctor: {
    summary: "Check the machine, the settings, and a database, and suggest fixes.",
    examples: [[database, "exits with 3 if a check fails; never creates or migrates the database"]]
  },
  help: {
    summary: "Show help for a command, or print the settings reference.",
    examples: [
      ["keys create", "same as trailbook keys create --help"],
      ["--markdown", "prints docs/reference/settings.md"]
    ]
  }
}

/** Returns a command's examples as complete command lines. */
export const getCommandExamples = (name: CommandName): ReadonlyArray<CommandExample> =>
  commands[name].examples.map(([args, description]) => ({ line: `trailbook ${name} ${args}`.trimEnd(), description }))
