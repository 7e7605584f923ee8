import { createTrailbook } from "trailbook"

const open = () =>
  createTrailbook({
    database: process.env.BOOKINGS_DATABASE ?? "sqlite:shop.sqlite",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    http: { basePath: "/booking" }
  })

// In development Next loads this again with every change; the database is to be opened once.
const kept = globalThis as typeof globalThis & { outfitter?: ReturnType<typeof open> }

export const outfitter = await (kept.outfitter ??= open())
