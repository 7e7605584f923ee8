export interface Guest {
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** The demo's guests. Their email addresses and phone numbers are from ranges reserved for examples. */
export const guests: ReadonlyArray<Guest> = [
  "Maya Okafor",
  "Jonas Lindqvist",
  "Priya Raman",
  "Dale Whitcomb",
  "Hannah Kessler",
  "Luis Ortega",
  "Sofia Marchetti",
  "Ben Tsosie",
  "Aiko Tanabe",
  "Grace Holloway",
  "Tomás Herrera",
  "Wendy Castellanos",
  "Omar Haddad",
  "Ruth Abernathy",
  "Mei-Ling Zhou",
  "Caleb Strand",
  "Ingrid Solheim",
  "Darius Whitfield",
  "Noor Rahimi",
  "Patrick O'Malley",
  "Leilani Kahale",
  "Theo Papadakis",
  "Annika Voss",
  "Marcus Bell",
  "Elena Rodriguez",
  "Sam Yellowhorse",
  "Chloé Fournier",
  "Derek Nguyen",
  "Fatima Zahra",
  "Walt Jorgensen",
  "Bea Sutherland",
  "Isaac Feldman",
  "Rosa Delgado",
  "Kenji Watanabe",
  "Molly Pruitt",
  "Anders Nyström"
].map((name, at) => ({
  name,
  email: `${addressable(name)}@example.com`,
  phone: `+1 719 555 01${10 + at}`
}))

/** Converts a name to the local part of an email address, such as `patrick.omalley`. */
function addressable(name: string): string {
  return name.normalize("NFD").replace(/[^A-Za-z -]/g, "").toLowerCase().replace(" ", ".")
}
