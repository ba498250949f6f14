// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace idemdesk::ui {

/// A part of a page that is one line in a low window, so that the list below it has the room. A click shows it whole;
/// in a high window it always is.
class FoldedPart final : public QWidget
{
    Q_OBJECT

public:
    /// objectName is that of the line, a button. content becomes a child of this.
    FoldedPart(const QString &objectName, QWidget *content, QWidget *parent);
    /// What stands in the line, safe to show: the gist of the part. Without one it never folds.
    void setGist(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void sync();
    void applyColors();

    QToolButton *m_line;
    QWidget *m_content;
    QString m_gist;
};

} // namespace idemdesk::ui
