import { UsageError } from "trailbook/command/CommandError"
import { parse } from "trailbook/command/parse"
import { describe, expect, it } from "vitest"

const refusal = (...argv: ReadonlyArray<string>): string => {
  try {
    parse(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return "no refusal"
}

describe("a command line", () => {
  it("is a command of one or two words and its flags, wherever they stand", () => {
    const expected = {
      _tag: "Call",
      command: "keys list",
      flags: new Map([["org", "a"], ["database", "sqlite:x"], ["json", "true"]])
    }
    expect(parse(["keys", "list", "--org", "a", "--database", "sqlite:x", "--json"])).toEqual(expected)
    expect(parse(["--org=a", "keys", "--database=sqlite:x", "--json", "list"])).toEqual(expected)
  })

  it("gives the word after the command to its positional setting", () => {
    expect(parse(["keys", "revoke", "abc", "--org", "a"])).toEqual({
      _tag: "Call",
      command: "keys revoke",
      flags: new Map([["org", "a"], ["key-id", "abc"]])
    })
    expect(parse(["help", "keys", "create"])).toMatchObject({ flags: new Map([["command", "keys create"]]) })
  })

  it("a flag that comes twice counts as the last one", () => {
    expect(parse(["serve", "--port", "1", "--port", "2"])).toMatchObject({ flags: new Map([["port", "2"]]) })
  })

  it("a value may begin with a dash, so that it is refused for what it is", () => {
    expect(parse(["serve", "--port", "-1"])).toMatchObject({ flags: new Map([["port", "-1"]]) })
  })

  it.each([
    [[], ""],
    [["--help"], ""],
    [["-h"], ""],
    [["serve", "--help"], "serve"],
    [["--help", "keys"], "keys"],
    [["keys", "create", "--help", "--nonsense"], "keys create"]
  ])("%j asks for help", (argv, topic) => {
    expect(parse(argv)).toEqual({ _tag: "Help", topic })
  })

  it("--version asks for the version, whatever else there is", () => {
    expect(parse(["--version"])).toEqual({ _tag: "Version" })
    expect(parse(["serve", "--version"])).toEqual({ _tag: "Version" })
  })
})

describe("a command line that was typed wrong is refused with a way out", () => {
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
    [["serve", "--seed", "1"], "serve has no flag --seed; it is available for demo."],
    [["serve", "--port"], "--port requires a value: a whole number from 0 to 65535."],
    [["serve", "--port", "--json"], "--port requires a value: a whole number from 0 to 65535."],
    [["serve", "--json=yes"], "--json takes no value."],
    [["serve", "now"], "Unexpected argument \"now\" for serve."],
    [["keys", "revoke", "a", "b"], "Unexpected argument \"b\" for keys revoke."]
  ])("%j", (argv, message) => {
    expect(refusal(...argv)).toBe(message)
  })
})
