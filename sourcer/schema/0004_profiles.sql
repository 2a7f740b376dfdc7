-- What people declared, each field with where it comes from.
create table profile_fields (
    person_id text not null,
    field text not null,                -- name, location, company, title, bio, hireable, school …
    value text not null,
    source text not null,               -- github, linkedin, json-resume, table:<file> …
    fetched_at timestamp not null,
    method text not null,               -- declared, imported, email domain, time zone
    expires_at timestamp
);
create table affiliations (
    person_id text not null,
    company text not null,              -- canonical name
    how text not null,                  -- declared or email domain
    first_seen timestamp,
    last_seen timestamp,
    source text not null
);
