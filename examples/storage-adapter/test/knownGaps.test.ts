import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer } from "../src/JournalStorage.ts"
import { temporaryFile } from "./temporaryFile.ts"

const journal = Layer.unwrapScoped(Effect.map(temporaryFile, layer))

const ascii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Searches as a database does that knows the case of A to Z alone. */
const asciiSearch = Layer.map(journal, (storage) => {
  const customers = Context.get(storage, CustomerStore)
  return Context.add(storage, CustomerStore, {
    ...customers,
    list: ({ limit, q = "", ...query }) =>
      Effect.map(customers.list({ ...query, q: undefined, limit: Infinity }), (rows) =>
        rows
          .filter(({ email, name, phone }) => [email, name, phone].some((text) => ascii(text).includes(ascii(q))))
          .slice(0, limit))
  })
})

suite("journal with ASCII search", asciiSearch, {
  reference: Memory.layer,
  knownGaps: ["customers/search-letters"],
  runs: 2
})
