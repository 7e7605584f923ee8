/**
 * What SQLite believes of the words of guests. Some words are many guests', such as
 * the name of a provider of e-mail: whoever takes a word for ten guests' reads all who
 * have it to find one of them, and with 100,000 guests a changed name took a tenth of
 * a second.
 */
import { believed } from "./0002_statistics.ts"

export const commonWords: ReadonlyArray<string> = [
  "delete from sqlite_stat1 where tbl = 'customer_words'",
  ...believed([["customer_words", "customer_words", 2e7, 20_000, 1000, 1]])
]
