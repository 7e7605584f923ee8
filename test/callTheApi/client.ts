import { createClient } from "@trailbook/client"

export const client = createClient({
  baseUrl: process.env.TRAILBOOK_URL ?? "http://127.0.0.1:4000/v1",
  apiKey: process.env.TRAILBOOK_KEY ?? ""
})
