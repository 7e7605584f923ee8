import { operations } from "@trailbook/core/layer"
import { makeDecodeInput } from "@trailbook/core/operation/decodeInput"
import type { Operation } from "@trailbook/core/operation/Operation"
import { Party } from "@trailbook/core/pricing/Pricing"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

/** Valid and invalid client input for fields of every kind. */
const values = FastCheck.oneof(
  {
    weight: 6,
    arbitrary: FastCheck.constantFrom(
      "0197a1b2-0000-7000-8000-000000000001",
      "0197A1B2-0000-7000-8000-000000000001",
      "2027-05-01T15:00:00Z",
      "2027-05-01",
      "America/Denver",
      "usd",
      "guest@example.com",
      "class",
      "asc",
      "09:00",
      "https://example.com/hook",
      " text ",
      "",
      "\0",
      0,
      1,
      15,
      -1,
      1.5,
      true,
      null,
      undefined,
      38.5
    )
  },
  FastCheck.record({ email: FastCheck.constantFrom("a@b.co", "no address"), name: FastCheck.constantFrom("Ann", 7) }, {
    requiredKeys: []
  }),
  FastCheck.array(
    FastCheck.record({
      weekday: FastCheck.nat(7),
      start_time: FastCheck.constant("09:00"),
      end_time: FastCheck.constant("17:00")
    }),
    { maxLength: 2 }
  ),
  // A party has at most 20 rates.
  FastCheck.array(
    FastCheck.record({ rate_id: FastCheck.constant("adult"), quantity: FastCheck.constantFrom(1, 2) }),
    { minLength: 19, maxLength: 22 }
  ),
  FastCheck.jsonValue({ maxDepth: 2 })
)

const givenFor = ({ fields }: { readonly fields: object }) => {
  const objectOf = (...names: ReadonlyArray<string>) =>
    FastCheck.record(Object.fromEntries(names.map((name) => [name, values])), {
      requiredKeys: [],
      noNullPrototype: false
    })
  const fieldNames = Object.keys(fields)
  return FastCheck.oneof(
    { weight: 20, arbitrary: objectOf(...fieldNames) },
    { weight: 4, arbitrary: objectOf(...fieldNames, "unknown", "__proto__") },
    FastCheck.jsonValue({ maxDepth: 1 })
  )
}

const all: ReadonlyArray<Pick<Operation.Any, "name" | "input">> = [
  ...operations,
  { name: "a list with a limit", input: Schema.Struct({ party: Party }) }
]

const keysOf = (value: unknown) => Object.keys(Object(value))

describe("decodeInput", () => {
  it.each(all)("decodes the input of $name exactly as the schema's own decoder does", ({ input }) => {
    const decode = ParseResult.decodeUnknownEither(input, { onExcessProperty: "error" })
    const decodeInput = makeDecodeInput(input)
    let right = 0
    FastCheck.assert(
      FastCheck.property(givenFor(input), (value) => {
        const [expected, actual] = [decode(value), decodeInput(value)]
        if (Either.isRight(expected)) right++
        assert.strictEqual(actual._tag, expected._tag)
        if (Either.isRight(actual) && Either.isRight(expected)) {
          assert.deepStrictEqual(actual.right, expected.right)
          assert.deepStrictEqual(keysOf(actual.right), keysOf(expected.right))
        } else if (Either.isLeft(actual) && Either.isLeft(expected)) {
          assert.deepStrictEqual(
            ParseResult.ArrayFormatter.formatIssueSync(actual.left),
            ParseResult.ArrayFormatter.formatIssueSync(expected.left)
          )
        }
      }),
      { numRuns: 600, seed: 1 }
    )
    if (Object.keys(input.fields).length === 1) assert.isAbove(right, 0)
  })
})
