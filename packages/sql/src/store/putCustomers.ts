import type { Customer } from "@trailbook/core/customer/Customer"
import * as Effect from "effect/Effect"
import type { Database } from "../Database.ts"
import * as Table from "../Table.ts"
import { customerWriteTable } from "../table/customerTable.ts"

/**
 * Inserts or replaces customers together with their search words. The previous words are read from the customer row, so
 * no second index of words by customer is needed. If the words did not change, their rows are not written.
 */
export const putCustomers = (database: Database["Type"]) => {
  const { dialect, erase, together, write } = database
  const customers = dialect.table("customers")
  const words = dialect.table("customer_words")
  const given = dialect.records("$1", { org_id: "text", id: "text", words: "text" })
  const forget = `delete from ${words} where (org_id, word, customer_id) in (
      select c.org_id, w.value, c.id
      from ${given} as given
        join ${customers} c on c.org_id = given.org_id and c.id = given.id and c.words <> given.words
        cross join ${dialect.words("c.words", "w")}
    )`
  const remember = `insert into ${words} (org_id, word, customer_id)
    select given.org_id, w.value, given.id
    from ${given} as given
      left join ${customers} c on c.org_id = given.org_id and c.id = given.id
      cross join ${dialect.words("given.words", "w")}
    where w.value <> '' and c.words is distinct from given.words
    on conflict do nothing`

  const putBy = (write: Database["Type"]["write"]) => {
    const replace = Table.put({ dialect, write }, customerWriteTable)
    return (rows: ReadonlyArray<Customer>) => {
      const records = [
        JSON.stringify(rows.map(customerWriteTable.encode).map(({ id, org_id, words }) => ({ id, org_id, words })))
      ]
      return together(Effect.zipRight(
        Effect.zipRight(write(forget, records), write(remember, records)),
        replace(rows)
      ))
    }
  }
  const put = putBy(write)
  const putErased = putBy(erase)
  return (rows: ReadonlyArray<Customer>): Effect.Effect<void> =>
    rows.some(({ erasedAt }) => erasedAt !== null) ? putErased(rows) : put(rows)
}
