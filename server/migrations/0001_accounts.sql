CREATE TABLE users (
  id uuid PRIMARY KEY,
  date_created timestamptz NOT NULL DEFAULT now(),
  email_address text NOT NULL CHECK (length(email_address) BETWEEN 3 AND 254),
  user_name text NOT NULL CHECK (length(user_name) BETWEEN 3 AND 32),
  password_hash text NOT NULL,
  last_password_update timestamptz NOT NULL DEFAULT now(),
  email_confirmed_at timestamptz,
  is_staff boolean NOT NULL DEFAULT false,
  disabled_at timestamptz,
  plan text NOT NULL DEFAULT 'self-hosted',
  plan_expiry timestamptz,
  disabled_payment_methods jsonb NOT NULL DEFAULT '{}',
  allow_marketplace boolean NOT NULL DEFAULT true,
  chat_webhook_url text,
  -- Sealed with the instance's key: a dump alone makes no codes.
  totp_secret bytea,
  totp_enabled_at timestamptz,
  -- The last time step whose code was taken; each code works once.
  totp_step bigint NOT NULL DEFAULT 0,
  referral_code text NOT NULL UNIQUE,
  referred_by uuid
);
CREATE UNIQUE INDEX users_email_address ON users (lower(email_address));
-- Only a confirmed person holds a name: otherwise trying names would tell which addresses are registered.
CREATE UNIQUE INDEX users_user_name ON users (lower(user_name)) WHERE email_confirmed_at IS NOT NULL;
CREATE INDEX users_referred_by ON users (referred_by) WHERE referred_by IS NOT NULL;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  user_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  last_used timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ip_address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id, date_created);

-- Links in mails and half-done sign-ins. Each names its purpose, works once and for a short time.
CREATE TABLE account_tokens (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('confirm', 'reset', 'change-email', 'second-factor')),
  email_address text,
  tries integer NOT NULL DEFAULT 0,
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX account_tokens_user ON account_tokens (user_id, purpose);
CREATE INDEX account_tokens_expiry ON account_tokens (expires_at);

-- Failed sign-ins by account, counted so that guessing is slowed on every process.
CREATE TABLE sign_in_failures (
  name text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  last_failed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE apps (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  redirect_urls text[] NOT NULL,
  scopes text[] NOT NULL
);
CREATE INDEX apps_owner ON apps (owner_id, date_created);

CREATE TABLE app_secrets (
  app_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  -- Null for the present secret; the one before it stays valid for a day.
  expires_at timestamptz,
  PRIMARY KEY (app_id, secret_hash)
);

CREATE TABLE access_codes (
  code_hash bytea PRIMARY KEY,
  app_id uuid NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  store_ids uuid[],
  code_challenge text,
  -- The user's password at the time of consent: a change in between voids the code.
  password_update timestamptz NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  key_id uuid
);
CREATE INDEX access_codes_expiry ON access_codes (expires_at);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  app_id uuid,
  label text NOT NULL,
  scopes text[] NOT NULL,
  store_ids uuid[],
  allowed_addresses text[] NOT NULL DEFAULT '{}',
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used timestamptz
);
CREATE INDEX api_keys_user ON api_keys (user_id, date_created);
CREATE INDEX api_keys_app ON api_keys (app_id) WHERE app_id IS NOT NULL;

-- What people did that somebody may ask about later. Rows are only ever added.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  date_created timestamptz NOT NULL DEFAULT now(),
  user_id uuid,
  store_id uuid,
  act text NOT NULL,
  subject text,
  ip_address text,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entries_user ON audit_entries (user_id, id);
CREATE INDEX audit_entries_store ON audit_entries (store_id, id) WHERE store_id IS NOT NULL;
