import { createTrailbook } from "trailbook"

const open = () =>
  createTrailbook({
    database: process.env.BOOKINGS_DATABASE ?? "sqlite:shop.sqlite",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    http: { basePath: "/booking", surfaces: ["rest", "pages", "widget"] },
    // This program shows guests their booking; who wants mails sent gives a mailer.
    mailer: "none"
  })

// Next loads this once for routes, once for pages, once for what runs at its start, and again with every change in
// development; the database is to be opened once.
const kept = globalThis as typeof globalThis & { outfitter?: ReturnType<typeof open> }

export const outfitter = await (kept.outfitter ??= open())
