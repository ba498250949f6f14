// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/key_table_model.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPromise>
#include <algorithm>
#include <deque>
#include <memory>

namespace idemdesk::tests {

/// A table in memory, ordered by its one identity column. The test answers each request by itself, in any order.
class FakeKeys
{
private:
    template <typename Calls, typename Call> static auto ask(Calls &calls, Call call)
    {
        using Promise = typename std::decay_t<decltype(call.promise)>::element_type;
        call.promise = std::make_shared<Promise>();
        call.promise->start();
        auto future = call.promise->future();
        calls.push_back(std::move(call));
        return future;
    }

public:
    struct PageCall {
        sql::PageRequest request;
        std::shared_ptr<QPromise<sql::Result<sql::KeyPage>>> promise;
        bool answered = false;
    };
    struct CountCall {
        qint64 cap = 0;
        std::shared_ptr<QPromise<sql::Result<sql::RowCount>>> promise;
    };
    struct BoundariesCall {
        qint64 step = 0;
        std::shared_ptr<QPromise<sql::Result<sql::Boundaries>>> promise;
    };

    QList<QString> ids; ///< ascending
    std::deque<PageCall> pages;
    std::deque<CountCall> counts;
    std::deque<BoundariesCall> boundaries;
    int cancels = 0;

    explicit FakeKeys(int rows = 0) { fill(rows); }

    void fill(int rows)
    {
        ids.clear();
        for (int i = 0; i < rows; ++i) {
            ids.append(id(i));
        }
    }
    static QString id(int number) { return QString::number(number * 10).rightJustified(10, u'0'); }

    static sql::Target target()
    {
        sql::Target target;
        target.profile.name = QStringLiteral("fake");
        target.profile.identity = { QStringLiteral("id") };
        target.profile.scope = { { QStringLiteral("tenant"), {} } };
        target.profile.roles.insert(sql::Role::Attempts, {});
        target.profile.roles.insert(sql::Role::CreatedAt, {});
        target.profile.roles.insert(sql::Role::ErrorMessage, {});
        return target;
    }

    static sql::KeyRecord record(const QString &id)
    {
        sql::KeyRecord record;
        record.identity = { sql::Cell::of(id) };
        record.scope = { sql::Cell() };
        record.key = sql::Cell::of(QStringLiteral("key-") + id);
        record.state = sql::KeyState::InProgress;
        record.stale = true;
        record.roles.insert(sql::Role::CreatedAt, sql::Cell::of(QStringLiteral("2026-11-20 12:00:00+00")));
        return record;
    }

    models::KeyFetchers fetchers()
    {
        models::KeyFetchers result;
        result.page = [this](const sql::PageRequest &request) { return ask(pages, PageCall { request, {}, false }); };
        result.count = [this](const sql::Filter &, qint64 cap, std::optional<sql::Timestamp>) {
            return ask(counts, CountCall { cap, {} });
        };
        result.boundaries
            = [this](const sql::Filter &, const sql::OrderLabel &, qint64 step, std::optional<sql::Timestamp>) {
                  return ask(boundaries, BoundariesCall { step, {} });
              };
        result.cursorAtTime = [](const sql::OrderLabel &, const sql::Timestamp &time) -> sql::Result<sql::Cursor> {
            return sql::Cursor { {}, { sql::Cell::of(QString::number(time.micros).rightJustified(10, u'0')) } };
        };
        result.cancel = [this] { ++cancels; };
        return result;
    }

    /// What a server would answer to this request now.
    sql::KeyPage answer(const sql::PageRequest &request) const
    {
        sql::KeyPage page;
        page.now = sql::Timestamp { sql::Timestamp::Kind::Finite, 1'795'176'000'000'000 };
        page.order = QStringLiteral("identity");
        page.tookMicros = 1'500;
        qint64 first = 0;
        qint64 last = ids.size();
        if (request.backward) {
            if (!request.from.atEdge()) {
                last = std::lower_bound(ids.begin(), ids.end(), request.from.identity.constFirst().text) - ids.begin();
            }
            last = std::max<qint64>(0, last - request.skip);
            first = std::max<qint64>(0, last - request.limit);
            page.more = first > 0;
        } else {
            if (!request.from.atEdge()) {
                first = std::upper_bound(ids.begin(), ids.end(), request.from.identity.constFirst().text) - ids.begin();
            }
            first = std::min<qint64>(first + request.skip, ids.size());
            last = std::min<qint64>(first + request.limit, ids.size());
            page.more = last < ids.size();
        }
        for (qint64 i = first; i < last; ++i) {
            page.rows.append(record(ids.at(i)));
        }
        return page;
    }

    void reply(PageCall &call)
    {
        call.answered = true;
        finish(*call.promise, sql::Result<sql::KeyPage>(answer(call.request)));
    }
    /// Answers all page requests that are open, and those that follow from them.
    void replyAll()
    {
        // NOLINTNEXTLINE(modernize-loop-convert): answering adds requests while this goes round
        for (std::size_t i = 0; i < pages.size(); ++i) {
            if (!pages[i].answered) {
                reply(pages[i]);
            }
        }
    }
    void fail(PageCall &call, sql::ErrorKind kind, const QString &what)
    {
        sql::Error error;
        error.kind = kind;
        error.what = what;
        call.answered = true;
        finish(*call.promise, sql::Result<sql::KeyPage>(error));
    }
    /// Answers the oldest count that is asked for.
    void replyCount()
    {
        const CountCall call = counts.front();
        counts.pop_front();
        sql::RowCount count { sql::RowCount::Kind::Exact, ids.size() };
        if (call.cap > 0 && count.rows >= call.cap) {
            count = { sql::RowCount::Kind::AtLeast, call.cap };
        }
        finish(*call.promise, sql::Result<sql::RowCount>(count));
    }
    void replyCounts()
    {
        while (!counts.empty()) {
            replyCount();
        }
    }
    void replyBoundaries()
    {
        while (!boundaries.empty()) {
            BoundariesCall call = boundaries.front();
            boundaries.pop_front();
            sql::Boundaries found;
            found.step = call.step;
            found.rows = ids.size();
            for (qint64 at = call.step; at < ids.size(); at += call.step) {
                found.cursors.append(sql::Cursor { {}, { sql::Cell::of(ids.at(at - 1)) } });
            }
            finish(*call.promise, sql::Result<sql::Boundaries>(found));
        }
    }

    /// Answers, and hands the answer over: whenDone() only posts it.
    template <typename T> static void finish(QPromise<T> &promise, T value)
    {
        promise.addResult(std::move(value));
        promise.finish();
        QCoreApplication::sendPostedEvents(QCoreApplication::instance(), QEvent::MetaCall);
    }
};

} // namespace idemdesk::tests
