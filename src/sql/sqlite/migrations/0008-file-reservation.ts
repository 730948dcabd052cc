export const fileReservation = {
  name: '0008-file-reservation',
  statements: [
    // File changes that are in progress or were interrupted. `actor` and `change` are JSON.
    `CREATE TABLE file_reservation (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      target TEXT NOT NULL UNIQUE,
      area TEXT NOT NULL,
      owner TEXT NOT NULL,
      reserved_at TEXT NOT NULL,
      actor TEXT NOT NULL,
      change TEXT NOT NULL
    ) STRICT`,
  ],
};
