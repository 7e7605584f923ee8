import * as Table from "@trailbook/memory/Table"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

interface Row {
  readonly id: string
  readonly at: number
  readonly group: string | undefined
  readonly name: string | undefined
}

const empty = Table.empty<Row>()({
  rowName: "row",
  key: ({ id }) => id,
  unique: { name: ({ name }) => name },
  ordered: { time: { group: ({ group }) => group, position: ({ at, id }) => ({ at, id }) } }
})

const id = FastCheck.constantFrom("a", "b", "c", "d", "e", "f", "g", "h")
const at = FastCheck.constantFrom(0, 1, 9, 10, 99, 100, 253_402_300_799_999)
const optional = { nil: undefined }

const row: FastCheck.Arbitrary<Row> = FastCheck.record({
  id,
  at,
  group: FastCheck.option(FastCheck.constantFrom("x", "y"), optional),
  name: FastCheck.option(FastCheck.constantFrom("n", "m", "o"), optional)
})

const change = FastCheck.oneof(
  { arbitrary: row.map((put) => ({ put })), weight: 3 },
  { arbitrary: id.map((remove) => ({ remove })), weight: 1 }
)

const position = FastCheck.record({ at, id: FastCheck.oneof(id, FastCheck.constantFrom("", "~")) })
const bounds = FastCheck.record({
  above: FastCheck.option(position, optional),
  below: FastCheck.option(position, optional),
  order: FastCheck.constantFrom("asc" as const, "desc" as const)
})

const compare = (a: { at: number; id: string }, b: { at: number; id: string }) =>
  a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

describe("Table", () => {
  it("matches a plain list of rows, and leaves earlier versions unchanged", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(change, { maxLength: 60, size: "max" }),
        bounds,
        (changes, { above, below, order }) => {
          let table = empty
          let rows: ReadonlyArray<Row> = []
          const past: Array<readonly [typeof empty, ReadonlyArray<Row>]> = []
          for (const change of changes) {
            past.push([table, rows])
            const key = "put" in change ? change.put.id : change.remove
            const others = rows.filter(({ id }) => id !== key)
            if ("remove" in change) {
              table = Table.remove(table, key)
              rows = others
            } else if (change.put.name !== undefined && others.some(({ name }) => name === change.put.name)) {
              assert.throws(() => Table.put(table, change.put), /Another row has the name/)
            } else {
              table = Table.put(table, change.put)
              rows = [...others, change.put]
            }
          }
          past.push([table, rows])
          for (const [table, rows] of past) {
            for (const id of "abcdefgh") assert.deepStrictEqual(Table.get(table, id), rows.find((row) => row.id === id))
            for (const name of "nmo") {
              assert.deepStrictEqual(Table.getBy(table, "name", name), rows.find((row) => row.name === name))
            }
            for (const group of "xyz") {
              const expected = rows.filter((row) =>
                row.group === group && (above === undefined || compare(row, above) > 0) &&
                (below === undefined || compare(row, below) < 0)
              ).toSorted(compare)
              const actual = Table.range(table, "time", group, {
                order,
                ...(above === undefined ? {} : { above }),
                ...(below === undefined ? {} : { below })
              })
              assert.deepStrictEqual([...actual], order === "asc" ? expected : expected.toReversed())
            }
          }
        }
      ),
      { numRuns: 300 }
    )
  })
})
