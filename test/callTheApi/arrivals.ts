import { client } from "./client.ts"

/** Lists all confirmed guests in a period. The client reads as many pages as necessary. */
export const arrivals = async (from: string, to: string): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for await (const { customer, quantity } of client.bookings.all({ from, to, status: "confirmed" })) {
    names.push(`${customer.name} (${quantity})`)
  }
  return names
}
