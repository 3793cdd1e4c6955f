-- What a text can be found by: every two letters that stand side by side, and each letter of scripts in which one can be
-- a word. Texts that hold all of them may still differ: the words themselves are compared afterwards.
CREATE FUNCTION letter_pairs(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array(SELECT substr(lower(words), place, 2) FROM generate_series(1, length(words) - 1) place)
  || CASE WHEN octet_length(words) = length(words) THEN '{}'::text[] ELSE
    array(SELECT letter FROM regexp_split_to_table(words, '') letter WHERE ascii(letter) >= 11904) END;

-- Cheaper looked up than worked out: the planner is told.
CREATE FUNCTION search_pieces(name text, tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000
RETURN letter_pairs(' ' || name || ' ' || array_to_string(tags, ' '));

-- The marketplace looks through all stores at once: by words, or from the best rated or the newest on.
CREATE INDEX products_search ON products USING gin (search_pieces(name, tags))
  WHERE visibility = 0 AND deleted_at IS NULL;
CREATE INDEX products_named ON products (lower(name) text_pattern_ops) WHERE visibility = 0 AND deleted_at IS NULL;
CREATE INDEX products_rated ON products (((rating_sum + 15.0) / (rating_count + 5)) DESC, id DESC)
  WHERE visibility = 0 AND deleted_at IS NULL AND rating_count > 0;
CREATE INDEX products_newest ON products (id DESC) WHERE visibility = 0 AND deleted_at IS NULL;
