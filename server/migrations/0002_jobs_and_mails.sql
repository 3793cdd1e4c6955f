-- Work promised in a transaction and kept later. A claimed job is due again when its lease ends, so nothing
-- has to look for workers that died.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  date_created timestamptz NOT NULL DEFAULT now(),
  queue text NOT NULL,
  -- Of two waiting jobs with one key the second is dropped.
  key text,
  data jsonb NOT NULL,
  run_at timestamptz NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  lease uuid,
  failed_at timestamptz,
  last_error text
);

CREATE INDEX jobs_due ON jobs (queue, run_at) WHERE failed_at IS NULL;
CREATE UNIQUE INDEX jobs_waiting_key ON jobs (queue, key) WHERE key IS NOT NULL AND lease IS NULL AND failed_at IS NULL;
CREATE INDEX jobs_failed ON jobs (failed_at) WHERE failed_at IS NOT NULL;

-- Jobs come and go all day: keep the dead rows few.
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  date_created timestamptz NOT NULL DEFAULT now(),
  to_address text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  reply_to text,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);

CREATE INDEX mails_date_created ON mails (date_created DESC, id);
