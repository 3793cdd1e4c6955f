/** Every table of the database. A module adds its own by one import and one name here. */
export interface Tables {}
