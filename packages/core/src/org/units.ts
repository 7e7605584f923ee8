/**
 * The units for weather and river data in human-readable text. `us` means mph, °F, and inches. `metric` means km/h, °C,
 * and mm.
 */
export const unitSystems = ["us", "metric"] as const

export type UnitSystem = (typeof unitSystems)[number]

/** Returns an org's units. If none are set, returns US units for a US time zone and metric units for any other zone. */
export const getUnits = (
  { timezone, units }: { readonly timezone: string; readonly units: UnitSystem | null }
): UnitSystem => units ?? getDefaultUnits(timezone)

/** Returns the default units for an org that has not set its own. */
export const getDefaultUnits = (timezone: string): UnitSystem => usZone.test(timezone) ? "us" : "metric"

// Browsers still report the older names America/Indianapolis and America/Louisville.
const usZone = new RegExp(
  "^(?:US/.+|Navajo|Pacific/Honolulu|America/(?:(?:Indiana|Kentucky|North_Dakota)/.+|New_York|Detroit|Indianapolis|" +
    "Fort_Wayne|Knox_IN|Louisville|Chicago|Menominee|Denver|Shiprock|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|" +
    "Metlakatla|Yakutat|Nome|Adak|Atka))$",
  "i"
)
