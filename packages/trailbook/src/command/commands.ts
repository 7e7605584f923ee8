/**
 * @since 0.1.0
 */
import type { CommandName } from "../setting/Setting.ts"
import type { Command } from "./Command.ts"

const database = "--database sqlite:trailbook.sqlite"

/**
 * Every command, in the order of the help.
 *
 * @since 0.1.0
 * @category commands
 */
export const commands: { readonly [Name in CommandName]: Command & { readonly name: Name } } = {
  demo: {
    name: "demo",
    summary: "Make up an outfitter with guests and bookings, and serve it.",
    examples: [
      { line: "trailbook demo", does: "in ./.trailbook, kept for the next start" },
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
  migrate: {
    name: "migrate",
    summary: "Make a database or bring its tables up to date, and say what that took.",
    examples: [{ line: `trailbook migrate ${database}`, does: "safe to repeat" }]
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
        line: `trailbook org create ${database} --name Nordfjord --timezone Europe/Oslo --currency nok --json`,
        does: "for a script: {\"org_id\", \"slug\", \"api_key\"}"
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
