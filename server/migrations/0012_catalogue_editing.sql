-- The seller's order of the FAQ; those of one place are in the order in which they were written.
ALTER TABLE faq_entries ADD COLUMN position integer NOT NULL DEFAULT 0;

-- A product's file on its way, in parts. The parts are blobs of their own until they are put together.
CREATE TABLE file_uploads (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  product_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  friendly_name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  received_bytes bigint NOT NULL DEFAULT 0 CHECK (received_bytes BETWEEN 0 AND bytes),
  part_keys text[] NOT NULL DEFAULT '{}',
  -- The file that came of it.
  file_id uuid,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX file_uploads_product ON file_uploads (store_id, product_id);
