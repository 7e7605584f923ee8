/**
 * Trailbook operations as REST routes with OpenAPI 3.1.
 *
 * @since 0.1.0
 */
export {}
