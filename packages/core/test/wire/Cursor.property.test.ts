import * as Instant from "@trailbook/core/time/Instant"
import * as Cursor from "@trailbook/core/wire/Cursor"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { codePoint } from "../generators/text.ts"
import { editTexts } from "../time/edited.ts"

const position = FastCheck.record({
  at: FastCheck.oneof(
    FastCheck.constantFrom(Instant.min, Instant.max),
    FastCheck.integer({ min: Instant.min, max: Instant.max })
  ),
  id: FastCheck.uuid()
})

const cursors = Cursor.makeCursors("bookings asc")
const readCursor = (cursor: string) => Effect.runSync(Effect.either(cursors.read(cursor)))

/** Returns the cursor after a page that ends with this row. */
const cursorAfter = (position: Cursor.Position): string =>
  cursors.page([position, position], 1, (row) => row, (row) => row).next_cursor ?? ""

describe("a cursor", () => {
  it("is decoded to the position where the page ended", () => {
    FastCheck.assert(
      FastCheck.property(position, (position) => {
        expect(readCursor(cursorAfter(position))).toEqual(Either.right(position))
        // A cursor does not need escaping in a query string.
        expect(cursorAfter(position)).toMatch(/^[\w-]{1,500}$/)
      }),
      { numRuns: 500 }
    )
  })

  it("is rejected for another list or sort order", () => {
    FastCheck.assert(
      FastCheck.property(
        position,
        FastCheck.constantFrom("bookings desc", "sessions", "", "bookings"),
        (position, list) => {
          const { page } = Cursor.makeCursors(list)
          const { next_cursor = "" } = page([position, position], 1, (row) => row, (row) => row)
          expect(Either.isLeft(readCursor(next_cursor))).toBe(true)
        }
      )
    )
  })

  it("never causes an internal error if it is forged", () => {
    const refusal = {
      kind: "invalid",
      code: "invalid_request",
      message: "cursor: must be the next_cursor of an earlier response to the same request"
    }
    const refusals = { seen: 0 }
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(FastCheck.string({ unit: codePoint }), editTexts(position.map(cursorAfter))),
        (cursor) => {
          const answer = readCursor(cursor)
          if (Either.isRight(answer)) {
            expect(answer.right.at).toBeGreaterThanOrEqual(0)
            expect(answer.right.at).toBeLessThan(1e15)
            expect(answer.right.id).toHaveLength(36)
          } else {
            expect(answer.left).toMatchObject(refusal)
            refusals.seen++
          }
        }
      ),
      { numRuns: 1000 }
    )
    expect(refusals.seen).toBeGreaterThan(200)
    const bytes = (plain: string) => Buffer.from(plain).toString("base64url")
    const text = (position: string) => bytes(`bookings asc ${position}`)
    const id = "01890a5d-ac96-774b-bcce-b302099a8057"
    expect(Either.isRight(readCursor(text(`1 ${id}`)))).toBe(true)
    for (
      const garbage of [
        "",
        "null",
        "0",
        bytes(""),
        bytes(`1 ${id}`),
        text(""),
        text("1"),
        text(`-1 ${id}`),
        text(`1.5 ${id}`),
        text(`1 ${id} `),
        text(`1e3 ${id}`),
        text(`1  ${id}`),
        text(`1 ${id}\n`),
        text(`1 ${id.toUpperCase()}`),
        text("1 ' or 1=1 --")
      ]
    ) {
      expect(Either.isLeft(readCursor(garbage)), garbage).toBe(true)
    }
  })
})

describe("a page", () => {
  it("contains a cursor only if more rows exist", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(position, { maxLength: 8 }),
        FastCheck.integer({ min: 1, max: 8 }),
        (rows, limit) => {
          const page = cursors.page(rows.slice(0, limit + 1), limit, ({ id }) => id, (row) => row)
          expect(page.data).toEqual(rows.slice(0, limit).map(({ id }) => id))
          const last = rows[limit - 1]
          if (rows.length > limit) expect(readCursor(page.next_cursor ?? "")).toEqual(Either.right(last))
          else expect("next_cursor" in page).toBe(false)
        }
      )
    )
  })
})
