// A sign-in page is shown only if no staff member is signed in, or if a different one is about to sign in. The page
// therefore deletes the previous staff member's saved pages.
import { deleteSavedPages } from "./parts/savedPages.ts"

deleteSavedPages(new URL("../dashboard", import.meta.url).href).catch(() => {})
