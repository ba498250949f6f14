// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QScrollArea>
#include <utility>

class QLabel;

namespace idemdesk::ui {

/// Names and their values, a line each; each value can be selected. As tall as they need, up to some lines: beyond
/// these it scrolls.
class FactGrid final : public QScrollArea
{
    Q_OBJECT

public:
    using Facts = QList<std::pair<QString, QString>>; ///< name, value; without a name a value takes the whole width

    FactGrid(const QString &objectName, const QString &accessibleName, QWidget *parent);
    void setFacts(const Facts &facts); ///< those without a value are left out
    void offerCopy(const QString &name); ///< a fact of this name has a button that copies its value
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *copied(const QString &name, QLabel *value, const QString &text);

    Facts m_facts;
    QString m_copied;
};

} // namespace idemdesk::ui
