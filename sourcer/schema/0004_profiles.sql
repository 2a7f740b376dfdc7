-- What people declared, each field with where it comes from.
create table profile_fields (
    person_id text not null,
    field text not null,                -- name, location, company, title, bio, hireable, school …
    value text not null,
    source text not null,               -- github, linkedin, json-resume, table:<file> …
    fetched_at timestamp not null,
    method text not null,               -- declared, imported, email domain, time zone
    expires_at timestamp                -- from then on it is neither shown nor searched
);
create table affiliations (
    person_id text not null,
    company text not null,              -- canonical name
    how text not null,                  -- declared, declared as left, email domain
    first_seen timestamp,
    last_seen timestamp,
    source text not null,
    expires_at timestamp
);
-- Which record is about whom, and by which rule.
create table profile_links (
    id text primary key,                -- of the pair: what a decision names
    source text not null,
    key text not null,                  -- unique within the source
    person_id text not null,
    rule text not null
);
-- Records that may be about somebody: for a human to decide.
create table link_suggestions (
    id text primary key,                -- of the pair: what a decision names
    source text not null,
    key text not null,
    says text not null,                 -- the row in short: name, title, company
    person_id text not null,
    reasons text[] not null,
    against text[] not null
);
-- Talks, papers, posts, packages, models: evidence beside the commits, weighing less.
create table artifacts (
    person_id text not null,
    kind text not null,
    title text not null,
    url text,
    dated date,
    source text not null,
    fetched_at timestamp not null,
    rule text not null,                 -- why it is this person's
    expires_at timestamp
);
