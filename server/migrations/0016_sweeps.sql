-- The seller sends on what orders brought, from a wallet made here to an address of their own.
CREATE TABLE crypto_sweeps (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  method text NOT NULL,
  recipient text NOT NULL,
  actor text NOT NULL,
  -- Fixed when the seller saw what it costs, in the smallest unit.
  fee_per_gas text NOT NULL CHECK (fee_per_gas ~ '^[1-9][0-9]*$'),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'failed')),
  PRIMARY KEY (store_id, id)
);
-- One at a time, so that no two take the same money.
CREATE UNIQUE INDEX crypto_sweeps_open ON crypto_sweeps (store_id, method) WHERE status = 'open';
CREATE INDEX crypto_sweeps_list ON crypto_sweeps (store_id, method, date_created DESC);

-- Address by address. A transaction is written down signed before it is sent: sent again, it is the same one.
CREATE TABLE crypto_sweep_steps (
  store_id uuid NOT NULL,
  sweep_id uuid NOT NULL,
  target text NOT NULL,
  derivation_index integer NOT NULL,
  units text NOT NULL CHECK (units ~ '^[1-9][0-9]*$'),
  gas integer NOT NULL,
  -- What a token's address must first be given for the fee; 0 when nothing.
  fund_units text NOT NULL,
  fund_nonce integer,
  fund_raw text,
  fund_txid text,
  raw text,
  txid text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'failed')),
  failure text,
  PRIMARY KEY (store_id, sweep_id, target)
);
