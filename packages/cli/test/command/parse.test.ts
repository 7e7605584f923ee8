import { UsageError } from "@trailbook/server/setting/UsageError"
import { describe, expect, it } from "vitest"
import { parseArguments } from "../../src/command/parseArguments.ts"

const refusal = (...argv: ReadonlyArray<string>): string => {
  try {
    parseArguments(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return "no refusal"
}

describe("a command line", () => {
  it("accepts flags in any position", () => {
    const expected = {
      _tag: "Call",
      command: "keys list",
      flags: new Map([["org", "a"], ["database", "sqlite:x"], ["json", "true"]])
    }
    expect(parseArguments(["keys", "list", "--org", "a", "--database", "sqlite:x", "--json"])).toEqual(expected)
    expect(parseArguments(["--org=a", "keys", "--database=sqlite:x", "--json", "list"])).toEqual(expected)
  })

  it("assigns the argument after the command to the positional setting", () => {
    expect(parseArguments(["keys", "revoke", "abc", "--org", "a"])).toEqual({
      _tag: "Call",
      command: "keys revoke",
      flags: new Map([["org", "a"], ["key-id", "abc"]])
    })
    expect(parseArguments(["help", "keys", "create"])).toMatchObject({ flags: new Map([["command", "keys create"]]) })
  })

  it("uses the last value of a repeated flag", () => {
    expect(parseArguments(["serve", "--port", "1", "--port", "2"])).toMatchObject({ flags: new Map([["port", "2"]]) })
  })

  it("accepts a value that starts with a dash", () => {
    expect(parseArguments(["serve", "--port", "-1"])).toMatchObject({ flags: new Map([["port", "-1"]]) })
  })

  it.each([
    [[], ""],
    [["--help"], ""],
    [["-h"], ""],
    [["serve", "--help"], "serve"],
    [["--help", "keys"], "keys"],
    [["keys", "create", "--help", "--nonsense"], "keys create"]
  ])("prints help for %j", (argv, topic) => {
    expect(parseArguments(argv)).toEqual({ _tag: "Help", topic })
  })

  it("prints the version for --version, even after a command", () => {
    expect(parseArguments(["--version"])).toEqual({ _tag: "Version" })
    expect(parseArguments(["serve", "--version"])).toEqual({ _tag: "Version" })
  })
})

describe("an invalid command line is refused with a suggestion", () => {
  it.each([
    [["srve"], "Unknown command \"srve\". Did you mean serve?"],
    [["dance"], "Unknown command \"dance\"."],
    [["key", "list"], "Unknown command \"key\". Did you mean keys?"],
    [["keys", "lst"], "Unknown command \"keys lst\". Did you mean keys list?"],
    [["keys"], "Incomplete command \"keys\". Commands: keys create, keys list, keys revoke."],
    [["--json"], "Missing command."],
    [["serve", "--prt", "1"], "serve has no flag --prt. Did you mean --port?"],
    [["serve", "-p", "1"], "serve has no flag -p."],
    [["serve", "--hlp"], "serve has no flag --hlp. Did you mean --help?"],
    [["serve", "--seed", "1"], "serve has no flag --seed. The flag belongs to demo."],
    [["serve", "--port"], "--port requires a value: a whole number from 0 to 65535."],
    [["serve", "--port", "--json"], "--port requires a value: a whole number from 0 to 65535."],
    [["serve", "--json=yes"], "--json takes no value."],
    [["serve", "now"], "Unexpected argument \"now\" for serve."],
    [["keys", "revoke", "a", "b"], "Unexpected argument \"b\" for keys revoke."]
  ])("%j", (argv, message) => {
    expect(refusal(...argv)).toBe(message)
  })
})
