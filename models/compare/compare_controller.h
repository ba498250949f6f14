// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/comparison.h"
#include "models/compare/json_diff_model.h"
#include "models/compare/side_by_side_model.h"
#include "models/request/request.h"

#include <QObject>
#include <array>

namespace idemdesk::models {

/// Two payloads and what differs in them; compares them as soon as both are there, on another thread. The
/// newest request wins. Sides are 0 and 1. Lives on the GUI thread.
class CompareController final : public QObject
{
    Q_OBJECT

public:
    explicit CompareController(QObject *parent = nullptr);
    ~CompareController() override;

    JsonDiffModel *treeModel() const { return m_tree; }
    SideBySideModel *sideModel() const { return m_lines; }

    void setSide(int side, const QString &name, const QByteArray &payload); ///< replaces one payload
    void openFile(int side,
        const QString &path); ///< the payload there was stays until the file is read; error() says why it cannot be
    void swap();
    void clear(); ///< payloads and fingerprint; the rules stay
    /// False, with error(), where a pointer is wrong; rules and comparison stay then.
    bool setIgnore(const QStringList &pointers);
    const QStringList &ignore() const { return m_input.ignore; }
    /// What a key's table holds, and what is known of its request; an empty text for none.
    void setFingerprint(const QString &stored, const RequestParts &parts, PayloadOrigin origin);

    QString name(int side) const { return m_sides[std::size_t(side)].name; }
    qint64 size(int side) const { return m_sides[std::size_t(side)].payload.size(); }
    bool has(int side) const { return m_sides[std::size_t(side)].there; }
    bool busy() const; ///< a file is read or payloads are compared
    void cancel(); ///< compare() starts again
    void compare(); ///< again, from the payloads at hand
    const std::shared_ptr<const Comparison> &comparison() const
    {
        return m_comparison;
    } ///< null until there is one of these two payloads
    const std::optional<sql::Error> &error() const { return m_error; }

signals:
    void changed(); ///< anything above

private:
    struct Side {
        QString name;
        QByteArray payload;
        bool there = false;
    };
    void start();
    void show(std::shared_ptr<const Comparison> comparison);
    void stop(); ///< files and comparison alike

    JsonDiffModel *m_tree;
    SideBySideModel *m_lines;
    std::array<Side, 2> m_sides;
    CompareInput m_input; ///< rules and fingerprint
    std::array<Request, 2> m_reading { Request(QStringLiteral("file a")), Request(QStringLiteral("file b")) };
    Request m_comparing { QStringLiteral("compare") };
    std::shared_ptr<const Comparison> m_comparison;
    std::optional<sql::Error> m_error;
};

} // namespace idemdesk::models
