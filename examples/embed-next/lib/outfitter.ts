import { createTrailbook } from "trailbook"

const open = () =>
  createTrailbook({
    database: process.env.BOOKINGS_DATABASE ?? "sqlite:shop.sqlite",
    org: { name: "Salida River Co.", timezone: "America/Denver" },
    http: { basePath: "/booking", surfaces: ["rest", "pages", "widget"] },
    // This program shows guests their bookings on its own pages. To send email, pass a mailer.
    mailer: "none"
  })

// Next loads this module once for routes, once for pages, once on startup, and again after each change in development.
// The database must be opened only once.
const globals = globalThis as typeof globalThis & { outfitter?: ReturnType<typeof open> }

export const outfitter = await (globals.outfitter ??= open())
